import { expect, test } from 'vitest';
import { answerBadly } from './receiver.ts';

test('the flaky one refuses some for good, some at first, cuts some off, and takes most', () => {
  const ids = Array.from({ length: 2000 }, (_, i) => `event-${i}`);
  const shareOf = (isIt: (id: string) => boolean) => ids.filter(isIt).length / ids.length;
  expect(shareOf((id) => answerBadly(id, 5) === 500)).toBeCloseTo(1 / 64, 1);
  expect(shareOf((id) => answerBadly(id, 5) === 500)).toBeGreaterThan(0);
  expect(shareOf((id) => answerBadly(id, 0) === 500)).toBeCloseTo(17 / 64, 1);
  expect(shareOf((id) => answerBadly(id, 0) === 0)).toBeCloseTo(8 / 64, 1);
  expect(ids.filter((id) => answerBadly(id, 1) === 0)).toEqual([]);
});
