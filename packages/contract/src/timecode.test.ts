import { describe, expect, test } from 'vitest';
import { formatTimecode } from './timecode.ts';

const ntscRate = 30_000 / 1001;

describe('formatTimecode', () => {
  test.each([
    ['counts frames from the start of the file', 75.32, 25, '00:01:15:08'],
    ['advances exactly at the start of the next frame', 75.36, 25, '00:01:15:09'],
    ['returns the timecode of the displayed frame, not of the next one', 75.355, 25, '00:01:15:08'],
    ['tolerates timestamps rounded to milliseconds', 0.041, 24, '00:00:00:01'],
    ['tolerates a frame rate rounded by the container', 10, 25.004, '00:00:10:00'],
    ['continues after one hour', 3600, 25, '01:00:00:00'],
    ['at 23.976 fps counts 24 frames a second, without dropping any', 60.06, 24_000 / 1001, '00:01:00:00'],
    ['at a non-standard rate counts the frames within each second', 2.52, 12.5, '00:00:02:06'],
    ['never returns a negative timecode', -1, 25, '00:00:00:00'],
  ])('%s', (_, seconds, rate, expected) => expect(formatTimecode(seconds, rate)).toBe(expected));
});

describe('formatTimecode at a drop-frame rate', () => {
  // SMPTE ST 12-1: the frame after 00:00:59;29 is 00:01:00;02, the frame after 00:09:59;29 is 00:10:00;00.
  test.each([
    [1799, '00:00:59;29'],
    [1800, '00:01:00;02'],
    [3597, '00:01:59;29'],
    [3598, '00:02:00;02'],
    [17_981, '00:09:59;29'],
    [17_982, '00:10:00;00'],
    [107_892, '01:00:00;00'],
  ])('at 29.97 fps shows frame %d as %s', (frame, expected) =>
    expect(formatTimecode(frame / ntscRate, ntscRate)).toBe(expected),
  );

  test('at 59.94 fps skips four frame numbers a minute', () => {
    expect(formatTimecode(3599 / (2 * ntscRate), 59.94)).toBe('00:00:59;59');
    expect(formatTimecode(3600 / (2 * ntscRate), 59.94)).toBe('00:01:00;04');
  });

  test('stays in step with clock time', () => {
    expect(formatTimecode(3600, ntscRate)).toBe('01:00:00;00');
  });
});
