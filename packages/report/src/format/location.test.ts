import { expect, test } from 'vitest';
import { formatLocation, formatLocations } from './location.ts';

const locationAtSecond = (n: number) => ({ kind: 'timeRange' as const, startMs: n * 1000, endMs: n * 1000 + 480 });

test('formatLocation adds timecodes to the times if the frame rate is known', () => {
  expect(formatLocation(locationAtSecond(2), 25)).toBe('0:02.00 to 0:02.48 (00:00:02:00 to 00:00:02:12)');
  expect(formatLocation({ ...locationAtSecond(2), endMs: 2000 }, 25)).toBe('0:02.00 (00:00:02:00)');
  expect(formatLocation(locationAtSecond(2), null)).toBe('0:02.00 to 0:02.48');
});

test('formatLocations lists the first ten locations and the number of remaining ones', () => {
  const places = Array.from({ length: 98 }, (_, i) => locationAtSecond(i));
  expect(formatLocations(places)).toMatch(/^0:00\.00 to 0:00\.48; .*; 0:09\.00 to 0:09\.48; and 88 more$/);
  expect(formatLocations(places.slice(0, 10))).toMatch(/0:09\.48$/);
  expect(formatLocations([])).toBe('whole file');
});
