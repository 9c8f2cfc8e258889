import { median } from '@assay/testing/measure/statistics.ts';

/** CPU milliseconds that the computation below takes on cores that nobody else uses. */
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
 * By how much the CPU time of tests is longer than usual, up to 1.25 on cores shared with other machines. Budgets are
 * scaled by it. The computation suffers more than tests do: in runs in which it took 1.5 times as long, they took 1.2
 * times as long, which is its square root. At least 1: when it takes 0.6 of its usual time, tests are hardly faster.
 */
export function watchSlowness(): { stop(): number } {
  for (let i = 0; i < 10; i++) sampleMillis(); // warms up, so that the samples measure compiled code
  const samples = [sampleMillis()];
  const timer = setInterval(() => samples.push(sampleMillis()), sampleIntervalMillis);
  return {
    stop() {
      clearInterval(timer);
      return Math.max(1, Math.sqrt(median(samples) / usualMillis));
    },
  };
}
