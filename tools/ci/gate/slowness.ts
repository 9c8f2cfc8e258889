import { median } from '@assay/testing/measure/statistics.ts';

/**
 * CPU milliseconds of the sample below when the budgets were set: 16 in a run in which the same files took 1.25 times as
 * much CPU time as then.
 */
const usualMillis = 12.8;
const everyMillis = 3000;

const text = JSON.stringify(
  Array.from({ length: 3000 }, (_, i) => ({ id: `asset-${i}`, seconds: i / 7, isDone: true })),
);

/** The CPU time of a fixed computation, which does what the service does most: it parses, allocates and formats. */
function sampleMillis(): number {
  const before = process.threadCpuUsage();
  for (let i = 0; i < 5; i++) JSON.stringify(JSON.parse(text));
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/**
 * How many times its usual CPU time the sample takes now: up to 1.5 on cores that are shared with other machines. Budgets
 * are scaled by it. At least 1: when the sample takes 0.6 of its usual time, the tests take hardly less than theirs.
 */
export function watchSlowness(): { stop(): number } {
  for (let i = 0; i < 10; i++) sampleMillis(); // until it is compiled
  const samples = [sampleMillis()];
  const timer = setInterval(() => samples.push(sampleMillis()), everyMillis);
  return {
    stop() {
      clearInterval(timer);
      return Math.max(1, median(samples) / usualMillis);
    },
  };
}
