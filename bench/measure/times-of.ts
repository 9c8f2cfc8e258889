import { setTimeout as sleep } from 'node:timers/promises';

export const pauseMillis = 20;

/** The duration of each call in milliseconds, at a steady rate for this many seconds. */
export async function timesOf(call: () => Promise<{ status: number }>, seconds: number): Promise<number[]> {
  const times: number[] = [];
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(pauseMillis)) {
    const begin = performance.now();
    const { status } = await call();
    times.push(performance.now() - begin);
    if (status !== 200) throw new Error(`a read was answered with ${status}`);
  }
  return times;
}
