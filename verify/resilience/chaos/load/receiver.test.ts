import { expect, test } from 'vitest';
import { answerUnreliably } from './receiver.ts';

test('the unreliable webhook path always refuses a few events, refuses or cuts off some at first, and accepts most at once', () => {
  const ids = Array.from({ length: 2000 }, (_, i) => `event-${i}`);
  const shareOf = (isIt: (id: string) => boolean) => ids.filter(isIt).length / ids.length;
  expect(shareOf((id) => answerUnreliably(id, 5) === 500)).toBeCloseTo(1 / 64, 1);
  expect(shareOf((id) => answerUnreliably(id, 5) === 500)).toBeGreaterThan(0);
  expect(shareOf((id) => answerUnreliably(id, 0) === 500)).toBeCloseTo(17 / 64, 1);
  expect(shareOf((id) => answerUnreliably(id, 0) === 0)).toBeCloseTo(8 / 64, 1);
  expect(ids.filter((id) => answerUnreliably(id, 1) === 0)).toEqual([]);
});
