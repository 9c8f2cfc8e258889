import { expect, test } from 'vitest';
import type { LoudnessReading } from '../signal/observer.ts';
import { createLoudnessReader } from './loudness-lines.ts';

const printedReading = (frame: number, pts: number, time: string, values: Record<string, string>) =>
  [
    `frame:${frame}    pts:${pts}    pts_time:${time}`,
    ...Object.entries(values).map(([k, v]) => `lavfi.r128.${k}=${v}`),
  ]
    .join('\n')
    .concat('\n');
const silentValues = { M: '-120.691', S: '-120.691', I: '-70.000', LRA: '0.000', 'LRA.low': '0.000' };
const loudValues = { M: '-20.000', S: '-21.500', I: '-22.250', LRA: '3.400', 'LRA.low': '-30.000' };
const peakValues = (left: string, right: string) => ({ true_peaks_ch0: left, true_peaks_ch1: right, true_peak: left });

function read(text: string, chunkLength = text.length): LoudnessReading[] {
  const readings: LoudnessReading[] = [];
  const reader = createLoudnessReader((reading) => readings.push(reading));
  for (let at = 0; at < text.length; at += chunkLength) reader.take(text.slice(at, at + chunkLength));
  return readings;
}

test('a loudness reading contains the printed values, the peaks in decibels and the end time of its windows', () => {
  const [reading] = read(printedReading(0, 4800, '0.1', { ...loudValues, ...peakValues('1.000', '0.500') }));
  expect(reading).toEqual({
    seconds: expect.closeTo(0.2, 9),
    momentaryLufs: -20,
    shortTermLufs: -21.5,
    integratedLufs: -22.25,
    rangeLu: 3.4,
    truePeaksDb: [0, expect.closeTo(-6.0206, 3)],
  });
});

test('the last loudness reading is returned even though no other reading follows it', () => {
  expect(read(printedReading(0, 0, '0', { ...loudValues, ...peakValues('0.1', '0.1') }))).toHaveLength(1);
});

test('the loudness of silence, or before the first full measurement window, is minus infinity', () => {
  const [reading] = read(printedReading(0, 0, '0', { ...silentValues, ...peakValues('0.000', '0.000') }));
  const { NEGATIVE_INFINITY: none } = Number;
  expect(reading).toMatchObject({ momentaryLufs: none, shortTermLufs: none, integratedLufs: none });
  expect(reading?.truePeaksDb).toEqual([none, none]);
});

test('the loudness readings do not depend on how ffmpeg’s output is split into chunks', () => {
  const text = [0, 1, 2]
    .map((i) => printedReading(i, i * 4800, `${i / 10}`, { ...loudValues, ...peakValues('0.5', '0.25') }))
    .join('');
  for (const length of [1, 7, 64]) expect(read(text, length)).toEqual(read(text));
  expect(read(text)).toHaveLength(3);
});

test('hours into a file, where timestamps lack tenths, a loudness reading takes its time from the sample count', () => {
  const at = (seconds: number, printed: string) =>
    printedReading(0, Math.round(seconds * 48_000), printed, { ...loudValues, ...peakValues('0.5', '0.5') });
  const [, late] = read(at(999.9, '999.9') + at(19_999.9, '20000'));
  expect(late?.seconds).toBeCloseTo(20_000, 6);
});
