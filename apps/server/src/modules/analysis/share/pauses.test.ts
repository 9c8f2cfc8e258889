import { expect, test } from 'vitest';
import { createPauses } from './pauses.ts';

test('the more of a workspace waits, the longer each pauses; others still pause briefly', () => {
  const time = { millis: 0 };
  const pauses = createPauses(() => time.millis);
  expect(pauses.secondsFor('a', 'first')).toBeLessThan(3);
  for (let i = 0; i < 400; i++) pauses.secondsFor('a', `${i}`);
  expect(pauses.secondsFor('a', 'next')).toBeGreaterThan(60);
  expect(pauses.secondsFor('b', 'first')).toBeLessThan(3);
  for (let i = 0; i < 5000; i++) pauses.secondsFor('a', `more ${i}`);
  expect(pauses.secondsFor('a', 'last')).toBeLessThan(400);
  time.millis = 1_000_000;
  expect(pauses.secondsFor('a', 'later'), 'those before it no longer wait').toBeLessThan(3);
});
