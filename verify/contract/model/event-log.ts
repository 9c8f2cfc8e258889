import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Message } from '@assay/testing/service/client.ts';

/** All events of a workspace as its stream shows them, from the first command on. */
export type EventLog = {
  /** All messages, in the order of the stream. */
  messages: Message[];
  /** Returns the messages that were not taken yet. */
  takeNew(): Message[];
  /** Resolves when the next message arrives, or after this time. */
  untilMore(millisMax: number): Promise<void>;
  close(): Promise<void>;
};

export async function openEventLog(client: Client, workspaceId: string): Promise<EventLog> {
  const stream = await client.open(`/realtime?channel=webhooks.${workspaceId}`);
  if (stream.status !== 200) throw new Error(`the stream of events was answered with ${stream.status}`);
  const messages: Message[] = [];
  let takenCount = 0;
  let wake = () => {};
  let failure: unknown;
  const read = async () => {
    for await (const message of stream.messages) {
      messages.push(message);
      wake();
    }
  };
  const reading = read().catch((error) => {
    failure = error;
    wake();
  });
  return {
    messages,
    takeNew() {
      if (failure) throw failure;
      const taken = messages.slice(takenCount);
      takenCount = messages.length;
      return taken;
    },
    async untilMore(millisMax) {
      if (failure || messages.length > takenCount) return;
      const waiting = new AbortController();
      wake = () => waiting.abort();
      await sleep(millisMax, undefined, { signal: waiting.signal }).catch(() => {});
    },
    async close() {
      await stream.close();
      await reading;
    },
  };
}
