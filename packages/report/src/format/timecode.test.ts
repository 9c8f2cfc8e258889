import { formatTimecode as formatInIssues } from '@assay/sidekicks/sidekick/timecode.ts';
import { expect, test } from 'vitest';
import { formatLocation, formatLocations } from './location.ts';
import { formatTimecode } from './timecode.ts';

test.each([
  [12_400, 25, '00:00:12:10'],
  [3_725_000, 25, '01:02:05:00'],
  [60_060, 30_000 / 1001, '00:01:00;02'],
  [600_600, 30_000 / 1001, '00:10:00;18'],
  [1500, 15, '00:00:01:07'],
])('the timecode of %d ms at %d frames per second is %s', (ms, frameRate, timecode) => {
  expect(formatTimecode(ms, frameRate)).toBe(timecode);
});

test.each([23.976, 24, 25, 29.97, 30, 50, 59.94, 60, 119.88, 12.5])(
  'the report and issue texts show the same timecode at %d frames per second',
  (frameRate) => {
    for (let ms = 0; ms < 8_000_000; ms += 33_337) {
      expect(formatTimecode(ms, frameRate)).toBe(formatInIssues(ms / 1000, frameRate));
    }
  },
);

const second = (n: number) => ({ kind: 'timeRange' as const, startMs: n * 1000, endMs: n * 1000 + 480 });

test('a location has timecodes beside its times if the frame rate is known', () => {
  expect(formatLocation(second(2), 25)).toBe('0:02.00 to 0:02.48 (00:00:02:00 to 00:00:02:12)');
  expect(formatLocation({ ...second(2), endMs: 2000 }, 25)).toBe('0:02.00 (00:00:02:00)');
  expect(formatLocation(second(2), null)).toBe('0:02.00 to 0:02.48');
});

test('a text with many locations names ten and gives the number of the rest', () => {
  const places = Array.from({ length: 98 }, (_, i) => second(i));
  expect(formatLocations(places)).toMatch(/^0:00\.00 to 0:00\.48; .*; 0:09\.00 to 0:09\.48; and 88 more$/);
  expect(formatLocations(places.slice(0, 10))).toMatch(/0:09\.48$/);
  expect(formatLocations([])).toBe('whole file');
});
