import { seriesPointsMax } from '@assay/contract/limits.ts';
import { expect, test } from 'vitest';
import type { LoudnessReading } from '../signal/observer.ts';
import { observeLoudness } from './observe-loudness.ts';

const media = { durationSeconds: null, video: null, audio: { sampleRate: 48_000, channels: 2, layout: 'stereo' } };
const { NEGATIVE_INFINITY: none } = Number;

function observe(readings: Partial<LoudnessReading>[]) {
  const observer = observeLoudness.open(media);
  if (!observer) throw new Error('the audio is not observed');
  for (const [i, reading] of readings.entries()) {
    observer.loudness?.({
      seconds: (i + 1) / 10,
      momentaryLufs: none,
      shortTermLufs: none,
      integratedLufs: none,
      rangeLu: 0,
      truePeaksDb: [none, none],
      ...reading,
    });
  }
  return observer.end();
}

test('observeLoudness opens no observer for a file without audio', () => {
  expect(observeLoudness.open({ ...media, audio: null })).toBeNull();
});

test('the true peak is reported with its channel and the first time at which it was reached', () => {
  const loudness = observe([
    { truePeaksDb: [-20, -18] },
    { truePeaksDb: [-3, -18] },
    { truePeaksDb: [-3, -3] },
    { truePeaksDb: [-3, -3] },
  ]);
  expect(loudness).toMatchObject({ truePeakDb: -3, truePeakChannel: 0, truePeakAtSeconds: 0.2 });
});

test('the last integrated loudness is reported, and the loudest moments are reported with their times', () => {
  const loudness = observe([
    { momentaryLufs: -20, integratedLufs: -20 },
    { momentaryLufs: -15, shortTermLufs: -19, integratedLufs: -18 },
    { momentaryLufs: -30, shortTermLufs: -22, integratedLufs: -21, rangeLu: 4 },
  ]);
  expect(loudness).toMatchObject({
    integratedLufs: -21,
    rangeLu: 4,
    maxMomentary: { lufs: -15, seconds: 0.2 },
    maxShortTerm: { lufs: -19, seconds: 0.2 },
    durationSeconds: expect.closeTo(0.3, 9),
  });
});

test('the loudness of silence is null, which JSON can represent', () => {
  const loudness = observe([{}, {}]);
  expect(loudness).toMatchObject({ integratedLufs: null, truePeakDb: null, maxShortTerm: null, maxMomentary: null });
  expect(JSON.parse(JSON.stringify(loudness))).toEqual(loudness);
});

test('the loudness series of six hours of audio stays within the limit and keeps the loudest moment', () => {
  const readings = Array.from({ length: 6 * 3600 * 10 }, (_, i) => ({ momentaryLufs: i === 123_456 ? -5 : -30 }));
  const { momentary, shortTerm } = observe(readings);
  expect(momentary.values.length).toBeLessThanOrEqual(seriesPointsMax);
  expect(momentary.values.length).toBeGreaterThan(seriesPointsMax / 2);
  expect(Math.max(...momentary.values)).toBe(-5);
  expect(momentary.values.indexOf(-5)).toBe(Math.floor(12_345.6 / momentary.stepSeconds));
  expect(shortTerm.values.every((value) => value === -70)).toBe(true);
});
