import { setTimeout as sleep } from 'node:timers/promises';

export const pauseMillis = 20;

/** Repeats the call for this many seconds, with a pause after each; returns the durations in milliseconds. */
export async function measureTimes(call: () => Promise<{ status: number }>, seconds: number): Promise<number[]> {
  const times: number[] = [];
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(pauseMillis)) {
    const begin = performance.now();
    const { status } = await call();
    times.push(performance.now() - begin);
    if (status !== 200) throw new Error(`a read was answered with ${status}`);
  }
  return times;
}
