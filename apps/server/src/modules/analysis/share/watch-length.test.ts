import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { judgeLength, watchLength } from './watch-length.ts';

const stays = { isLong: false, mustGiveWay: false };
const leavesIfPossible = { isLong: true, mustGiveWay: false };
const mustLeave = { isLong: true, mustGiveWay: true };

test.each([
  ['that has just begun stays', { seconds: 1, cpuSeconds: 1, cpuSecondsLeft: 60 }, stays],
  ['that will soon be done stays', { seconds: 8, cpuSeconds: 8, cpuSecondsLeft: 5 }, stays],
  ['that obviously takes long leaves its slot at once', { seconds: 1, cpuSeconds: 1, cpuSecondsLeft: 200 }, mustLeave],
  ['that will take long leaves its slot early', { seconds: 6, cpuSeconds: 6, cpuSecondsLeft: 30 }, mustLeave],
  ['of which nothing is known stays for a while', { seconds: 9, cpuSeconds: 9, cpuSecondsLeft: null }, stays],
  ['of which nothing is known leaves then', { seconds: 11, cpuSeconds: 11, cpuSecondsLeft: null }, mustLeave],
  ['that gets little of a busy machine stays', { seconds: 19, cpuSeconds: 2, cpuSecondsLeft: null }, stays],
  ['that waits leaves if possible', { seconds: 21, cpuSeconds: 0, cpuSecondsLeft: null }, leavesIfPossible],
  ['that waits for very long leaves', { seconds: 61, cpuSeconds: 0, cpuSecondsLeft: null }, mustLeave],
  ['that is nearly done is not sent back', { seconds: 30, cpuSeconds: 30, cpuSecondsLeft: 4 }, leavesIfPossible],
  ['that seems to be nearly done for long leaves', { seconds: 61, cpuSeconds: 61, cpuSecondsLeft: 1 }, mustLeave],
])('an examination %s', (_, spent, expected) => {
  expect(judgeLength(spent, 20)).toEqual(expected);
});

test.each([
  ['measured progress tells early that an examination takes long', true],
  ['guessed progress does not', false],
])('%s', async (_, isMeasured) => {
  const used = { cpuSeconds: 0 };
  using watch = watchLength(20, () => undefined);
  watch.onStarted(() => used.cpuSeconds);
  watch.report(0.001, isMeasured);
  used.cpuSeconds = 2;
  watch.report(0.004, isMeasured);
  await sleep(700);
  expect(watch.gaveWay.aborted).toBe(isMeasured);
});

test('an examination leaves its slot once, and the lane at its end', async () => {
  const left: string[] = [];
  const enter = () => {
    left.push('entered');
    return () => void left.push('left');
  };
  {
    using watch = watchLength(0.1, enter);
    await sleep(400);
    expect([watch.leftSlot.aborted, watch.gaveWay.aborted, left]).toEqual([true, false, ['entered']]);
  }
  expect(left).toEqual(['entered', 'left']);
});

test('an examination gives way if there is no room, and tries to enter no more', async () => {
  let tries = 0;
  using watch = watchLength(0.1, () => void tries++);
  await sleep(500);
  expect([watch.leftSlot.aborted, watch.gaveWay.aborted]).toEqual([false, true]);
  const triesBefore = tries;
  await sleep(100);
  expect(tries).toBe(triesBefore);
});

test('an examination that is known to be long leaves the lane at its end', () => {
  const ends: string[] = [];
  const leaveLane = () => void ends.push('left');
  {
    using watch = watchLength(20, () => undefined, leaveLane);
    expect([watch.leftSlot.aborted, ends]).toEqual([true, []]);
  }
  expect(ends).toEqual(['left']);
});
