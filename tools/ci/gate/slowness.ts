import { median } from '@assay/testing/measure/statistics.ts';

/**
 * CPU milliseconds that the computation below took when the budgets were set. It takes 16 in a run in which the test
 * files take 1.25 times as much CPU time as they did then.
 */
const usualMillis = 12.8;
const sampleIntervalMillis = 3000;

const sampleJson = JSON.stringify(
  Array.from({ length: 3000 }, (_, i) => ({ id: `asset-${i}`, seconds: i / 7, isDone: true })),
);

/** The CPU time of a fixed computation that does the service's most frequent work: parsing, allocating, formatting. */
function sampleMillis(): number {
  const before = process.threadCpuUsage();
  for (let i = 0; i < 5; i++) JSON.stringify(JSON.parse(sampleJson));
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/**
 * The CPU time of the computation as a multiple of its usual time: up to 1.5 on cores shared with other machines.
 * Budgets are scaled by it. At least 1: when the computation takes 0.6 of its usual time, the tests are hardly faster.
 */
export function watchSlowness(): { stop(): number } {
  for (let i = 0; i < 10; i++) sampleMillis(); // warms up, so that the samples measure compiled code
  const samples = [sampleMillis()];
  const timer = setInterval(() => samples.push(sampleMillis()), sampleIntervalMillis);
  return {
    stop() {
      clearInterval(timer);
      return Math.max(1, median(samples) / usualMillis);
    },
  };
}
