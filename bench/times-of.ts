import { setTimeout as sleep } from 'node:timers/promises';

export const pauseMillis = 20;

/** How long each call takes, in milliseconds, at an even pace for so long. */
export async function timesOf(call: () => Promise<{ status: number }>, seconds: number): Promise<number[]> {
  const times: number[] = [];
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(pauseMillis)) {
    const begin = performance.now();
    const { status } = await call();
    times.push(performance.now() - begin);
    if (status !== 200) throw new Error(`a read was answered ${status}`);
  }
  return times;
}
