import { expect, test } from 'vitest';
import { readBox } from './active-picture.ts';

const cropdetectOutput = (x1: number, x2: number, y1: number, y2: number) =>
  `frame:0\nlavfi.cropdetect.x1=${x1}\nlavfi.cropdetect.x2=${x2}\nlavfi.cropdetect.y1=${y1}\nlavfi.cropdetect.y2=${y2}\n`;

test('readBox returns the part of a frame that is not black', () => {
  expect(readBox(cropdetectOutput(0, 191, 14, 93))).toEqual({ left: 0, top: 14, width: 192, height: 80 });
});

test('readBox returns null for a black frame and for output without a report', () => {
  expect(readBox(cropdetectOutput(191, 0, 107, 0))).toBeNull();
  expect(readBox('')).toBeNull();
});
