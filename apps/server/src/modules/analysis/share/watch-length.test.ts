import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { judgeLength, watchLength } from './watch-length.ts';

const stays = { isLong: false, mustGiveWay: false };
const leavesIfPossible = { isLong: true, mustGiveWay: false };
const mustLeave = { isLong: true, mustGiveWay: true };

test.each([
  ['that has just begun stays', 1, 60, stays],
  ['that will soon be done stays', 8, 5, stays],
  ['that will obviously take long leaves its slot at once', 1, 200, mustLeave],
  ['that will take long leaves its slot early', 6, 30, mustLeave],
  ['of which nothing is known stays for a while', 9, null, stays],
  ['of which nothing is known leaves then', 11, null, mustLeave],
  ['that is nearly done is not sent back', 30, 4, leavesIfPossible],
  ['that seems to be nearly done for a long time leaves', 61, 1, mustLeave],
])('an examination %s', (_, seconds, secondsLeft, expected) => {
  expect(judgeLength(seconds, secondsLeft, 20)).toEqual(expected);
});

test.each([
  ['measured progress tells early that an examination takes long', true],
  ['guessed progress does not', false],
])('%s', async (_, isMeasured) => {
  const time = { seconds: 0 };
  using watch = watchLength(
    20,
    () => undefined,
    undefined,
    () => time.seconds,
    5,
  );
  for (const [seconds, share] of [
    [0.5, 0.001],
    [2, 0.004],
  ] as const) {
    time.seconds = seconds;
    watch.report(share, isMeasured);
  }
  await sleep(50);
  expect(watch.gaveWay.aborted).toBe(isMeasured);
});

test('an examination leaves its slot once, and the lane at its end', async () => {
  const left: string[] = [];
  const enter = () => {
    left.push('entered');
    return () => void left.push('left');
  };
  {
    using watch = watchLength(0.1, enter, undefined);
    await sleep(400);
    expect([watch.leftSlot.aborted, watch.gaveWay.aborted, left]).toEqual([true, false, ['entered']]);
  }
  expect(left).toEqual(['entered', 'left']);
});

test('an examination gives way if there is no room, and tries to enter no more', async () => {
  let tries = 0;
  using watch = watchLength(0.1, () => void tries++, undefined);
  await sleep(300);
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
