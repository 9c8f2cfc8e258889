import { expect, test } from 'vitest';
import { createRandom } from './random.ts';
import { type FaultPlan, planFaults, signalOf, targets } from './schedule.ts';

const plan: FaultPlan = {
  killsOfEach: 10,
  azuriteStops: 3,
  gapMillis: [100, 900],
  downMillis: [10, 50],
  patienceMillis: 0,
};

test('ten of each at moments of their own, and once everything together', () => {
  const faults = planFaults(plan, createRandom(1));
  const single = faults.filter((fault) => fault.targets.length === 1).flatMap((fault) => fault.targets);
  const countOf = (pattern: RegExp) => single.filter((target) => pattern.test(target)).length;
  expect(['api', 'worker', 'temporal', 'postgres', 'redis'].map((name) => countOf(new RegExp(`^${name}`)))).toEqual([
    10, 10, 10, 10, 10,
  ]);
  expect(countOf(/azurite/)).toBe(3);
  expect(faults.filter((fault) => fault.targets.length > 1).map((fault) => fault.targets)).toEqual([[...targets]]);
  const gaps = faults.map(({ gapMillis }) => gapMillis);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(100);
  expect(new Set(gaps).size).toBeGreaterThan(30);
});

test('a seed gives its schedule again, another seed another', () => {
  const scheduleOf = (seed: number) => planFaults(plan, createRandom(seed));
  expect(scheduleOf(7)).toEqual(scheduleOf(7));
  expect(scheduleOf(8)).not.toEqual(scheduleOf(7));
});

test('Azurite is asked to stop, everything else is killed', () => {
  expect(targets.filter((target) => signalOf(target) !== 'SIGKILL')).toEqual(['azurite']);
  expect(signalOf('azurite')).toBe('SIGTERM');
});
