import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { follow } from '@assay/testing/service/follow.ts';

/** A thread that opens streams at a steady rate and keeps those that are accepted, until it is told to stop. */
export type Attempts = { url: string; key: string; channel: string; count: number; perSecond: number };
/** Status → number of responses. */
export type StatusCounts = Record<number, number>;

const { url, key, channel, count, perSecond } = workerData as Attempts;
const answers: StatusCounts = {};
const leaving: (() => void)[] = [];
const attempt = async () => {
  const { status, messages, leave } = await follow(url, key, channel);
  answers[status] = (answers[status] ?? 0) + 1;
  if (status !== 200) return;
  leaving.push(leave);
  void read(messages);
};

/** Reads the stream as a client does: an unread stream is closed when its response is garbage-collected. */
async function read(messages: AsyncIterable<unknown>): Promise<void> {
  try {
    for await (const _ of messages);
  } catch {
    // Stopped.
  }
}

const begin = performance.now();
const pending: Promise<void>[] = [];
for (let i = 0; i < count; i++) {
  await sleep(Math.max(0, begin + (i / perSecond) * 1000 - performance.now()));
  pending.push(attempt());
}
await Promise.all(pending);
parentPort?.once('message', () => {
  for (const leave of leaving) leave();
});
parentPort?.postMessage(answers);
