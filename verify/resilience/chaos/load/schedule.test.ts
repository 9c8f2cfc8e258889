import { storages } from '@assay/stack/instance.ts';
import { createRandom } from '@assay/testing/run/random.ts';
import { expect, test } from 'vitest';
import { type FaultPlan, partOf, planFaults, signalOf, targetsWith } from './schedule.ts';

const plan: FaultPlan = {
  killsOfEach: 10,
  storageKills: 3,
  pauses: 10,
  clockJumps: 4,
  fullDisks: 3,
  lostRuns: 2,
  deadlyFiles: 1,
  gapMillis: [100, 900],
  downMillis: [10, 50],
  lastMillis: [10, 50],
  patienceMillis: 0,
};
const parts = ['api', 'worker', 'temporal', 'postgres', 'redis'];
const countEach = (struck: string[]) => parts.map((name) => struck.filter((target) => target.startsWith(name)).length);

test.each(storages)(
  'a fault schedule with %s storage kills each target on its own and all targets together once',
  (storage) => {
    const faults = planFaults(plan, storage, createRandom(1));
    const kills = faults.flatMap((fault) => (fault.kind === 'kill' ? [fault.targets] : []));
    const single = kills.filter((struck) => struck.length === 1).flat();
    expect(countEach(single)).toEqual([10, 10, 10, 10, 10]);
    expect(single.filter((target) => target === targetsWith(storage).at(-1))).toHaveLength(3);
    expect(kills.filter((struck) => struck.length > 1)).toEqual([targetsWith(storage)]);
    const gaps = faults.map(({ gapMillis }) => gapMillis);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(100);
    expect(new Set(gaps).size).toBeGreaterThan(30);
  },
);

test('a fault schedule pauses each target and has every other kind of fault as often as planned', () => {
  const faults = planFaults(plan, 'azure', createRandom(1));
  expect(countEach(faults.flatMap((fault) => (fault.kind === 'pause' ? fault.target : [])))).toEqual([2, 2, 2, 2, 2]);
  const jumped = faults.flatMap((fault) => (fault.kind === 'clock jump' ? fault.target : []));
  expect(jumped.toSorted()).toEqual(['api-1', 'api-2', 'worker-1', 'worker-2']);
  const others = ['full disk', 'lost runs', 'deadly file'].map((kind) => faults.filter((one) => one.kind === kind));
  expect(others.map(({ length }) => length)).toEqual([3, 2, 1]);
});

test('the same seed gives the same fault schedule, and a different seed gives a different one', () => {
  const scheduleOf = (seed: number) => planFaults(plan, 'azure', createRandom(seed));
  expect(scheduleOf(7)).toEqual(scheduleOf(7));
  expect(scheduleOf(8)).not.toEqual(scheduleOf(7));
});

test('the parts of a fault schedule together make up the whole schedule and have nearly equal lengths', () => {
  const faults = planFaults(plan, 'azure', createRandom(1));
  const parts = [1, 2, 3, 4].map((number) => partOf(faults, { number, count: 4 }));
  expect(parts.flat()).toEqual(faults);
  for (const { length } of parts) expect(Math.abs(length - faults.length / 4)).toBeLessThan(1);
});

test('the chaos run stops Azurite with SIGTERM and kills every other target with SIGKILL', () => {
  const targets = storages.flatMap(targetsWith);
  expect(targets.filter((target) => signalOf(target) !== 'SIGKILL')).toEqual(['azurite']);
  expect(signalOf('azurite')).toBe('SIGTERM');
});
