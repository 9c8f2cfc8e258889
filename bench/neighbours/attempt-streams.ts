import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { follow } from '@assay/testing/service/follow.ts';

/** A thread that opens streams at a steady rate and keeps those that are accepted, until it is told to stop. */
export type Attempts = { url: string; key: string; channel: string; count: number; perSecond: number };
/** The number of responses with each status. */
export type StatusCounts = Record<number, number>;

const { url, key, channel, count, perSecond } = workerData as Attempts;
const statusCounts: StatusCounts = {};
const leaveFunctions: (() => void)[] = [];
const attemptStream = async () => {
  const { status, messages, leave } = await follow(url, key, channel);
  statusCounts[status] = (statusCounts[status] ?? 0) + 1;
  if (status !== 200) return;
  leaveFunctions.push(leave);
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

const beginMillis = performance.now();
const pendingAttempts: Promise<void>[] = [];
for (let i = 0; i < count; i++) {
  await sleep(Math.max(0, beginMillis + (i / perSecond) * 1000 - performance.now()));
  pendingAttempts.push(attemptStream());
}
await Promise.all(pendingAttempts);
parentPort?.once('message', () => {
  for (const leave of leaveFunctions) leave();
});
parentPort?.postMessage(statusCounts);
