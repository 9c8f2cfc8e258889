import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { describe, expect, test } from 'vitest';
import { builtInProfile } from '#profiles/built-in-profiles.ts';
import { severityOf } from '#sidekick/severity.ts';
import type { Rule } from '#sidekick/sidekick.ts';
import { checkFaults, type Faults, range, video } from './samples/check-faults.ts';
import { sidekick } from './sidekick.ts';

type ProfileName = 'general' | 'ebu-r128' | 'atsc-a85';

function checkWithSeverity(faults: Faults, profile: ProfileName = 'general') {
  return checkFaults(faults, declarationFor('a.mp4', profile)).map((finding) => {
    const severity = severityOf(finding, sidekick.rules[finding.ruleCode] as Rule, builtInProfile(profile));
    return { ...finding, severity, codeWithSeverity: `${finding.ruleCode} ${severity}` };
  });
}
const codesWithSeverity = (...args: Parameters<typeof checkWithSeverity>) =>
  checkWithSeverity(...args).map(({ codeWithSeverity }) => codeWithSeverity);
const checkBlack = (...black: ReturnType<typeof range>[]) => codesWithSeverity({ video: { black } });
const checkFreeze = (...freeze: ReturnType<typeof range>[]) => codesWithSeverity({ video: { freeze } });
const checkSilence = (...silence: ReturnType<typeof range>[]) => codesWithSeverity({ audio: { silence } });

describe('the severity', () => {
  test('of black is MINOR below 3 s and MAJOR from 3 s', () => {
    expect(checkBlack(range(50, 52.5))).toEqual(['QC-BLACK MINOR']);
    expect(checkBlack(range(50, 53))).toEqual(['QC-BLACK MAJOR']);
    expect(checkBlack(range(0, 100))).toEqual(['QC-BLACK MAJOR']);
  });
  test('of a freeze is MINOR below 20 s and MAJOR from 20 s', () => {
    expect(checkFreeze(range(50, 69.9))).toEqual(['QC-FREEZE MINOR']);
    expect(checkFreeze(range(50, 70))).toEqual(['QC-FREEZE MAJOR']);
  });
  test('of silence is MINOR below 15 s and MAJOR from 15 s', () => {
    expect(checkSilence(range(50, 64.9))).toEqual(['QC-SILENCE MINOR']);
    expect(checkSilence(range(50, 65))).toEqual(['QC-SILENCE MAJOR']);
  });
  test('of a length difference between video and audio is MINOR below 10 s and MAJOR from 10 s', () => {
    const apart = (audioEndSeconds: number) => codesWithSeverity({ decoding: { audioEndSeconds } });
    expect([apart(99), apart(90.1), apart(90)]).toEqual([
      ['QC-AV-LENGTH MINOR'],
      ['QC-AV-LENGTH MINOR'],
      ['QC-AV-LENGTH MAJOR'],
    ]);
  });
  test('of illegal levels rises with the share of the frame for broadcast, and is INFO under the general profile', () => {
    const lumaCounts = Array.from({ length: 256 }, () => 0);
    const outside = (share: number) => [{ ...range(5, 6), share, worstSeconds: 5.5, low: 1, high: 200 }];
    const ofShare = (share: number, profile?: ProfileName) =>
      codesWithSeverity({ video: { levels: { outside: outside(share), lumaCounts } } }, profile);
    expect([ofShare(0.02, 'ebu-r128'), ofShare(0.2, 'ebu-r128'), ofShare(0.2)]).toEqual([
      ['QC-LEVELS MINOR'],
      ['QC-LEVELS MAJOR'],
      ['QC-LEVELS INFO'],
    ]);
  });
  test('of a wrong range flag rises with the share of crushed pixels', () => {
    const ofShare = (each: number) => {
      const lumaCounts = Array.from({ length: 256 }, (_, i) =>
        i === 0 || i === 255 ? each : i === 128 ? 100 - 2 * each : 0,
      );
      return codesWithSeverity({ video: { levels: { outside: [], lumaCounts } } });
    };
    expect([ofShare(0.6), ofShare(5)]).toEqual([['QC-RANGE MINOR'], ['QC-RANGE MAJOR']]);
  });
});

describe('black, a still or silence', () => {
  test('at the start or end is INFO up to 10 s', () => {
    expect(checkBlack(range(0, 5), range(95, 100))).toEqual(['QC-BLACK INFO', 'QC-BLACK INFO']);
    expect(checkFreeze(range(0, 6), range(90, 100))).toEqual(['QC-FREEZE INFO', 'QC-FREEZE INFO']);
    expect(checkSilence(range(0, 4), range(92, 100))).toEqual(['QC-SILENCE INFO', 'QC-SILENCE INFO']);
  });
  test('at the start or end is INFO even if a frame or a click comes before or after it', () => {
    expect(checkBlack(range(0.04, 5))).toEqual(['QC-BLACK INFO']);
    expect(checkSilence(range(95, 99.8))).toEqual(['QC-SILENCE INFO']);
  });
  test('of more than 10 s is judged by its length, because an out point may have been forgotten', () => {
    expect(checkBlack(range(89, 100))).toEqual(['QC-BLACK MAJOR']);
    expect(checkFreeze(range(85, 100))).toEqual(['QC-FREEZE MINOR']);
    expect(checkFreeze(range(60, 100))).toEqual(['QC-FREEZE MAJOR']);
    expect(checkSilence(range(80, 100))).toEqual(['QC-SILENCE MAJOR']);
  });
  test('of more than a quarter of a short file is judged by its length', () => {
    const timing = { ...video.timing, count: 251, endSeconds: 10 };
    expect(
      codesWithSeverity({
        video: { timing, black: [range(6, 10)] },
        decoding: { videoEndSeconds: 10, audioEndSeconds: 10 },
      }),
    ).toEqual(['QC-BLACK MAJOR']);
  });
  test('is INFO if it is one of several slides, and is judged by its length if there is no slideshow', () => {
    expect(checkFreeze(range(0, 30), range(30, 65), range(65, 100))).toEqual(Array(3).fill('QC-FREEZE INFO'));
    expect(checkFreeze(range(5, 35), range(36, 90))).toEqual(Array(2).fill('QC-FREEZE INFO'));
    expect(checkFreeze(range(0, 3), range(40, 100))).toEqual(['QC-FREEZE MAJOR']);
    expect(checkFreeze(range(10, 20), range(40, 50), range(60, 85))).toEqual([
      'QC-FREEZE MINOR',
      'QC-FREEZE MINOR',
      'QC-FREEZE MAJOR',
    ]);
  });
  test('throughout the file is MINOR if it is a still or silence, because it may be intended', () => {
    expect(checkFreeze(range(0, 100))).toEqual(['QC-FREEZE MINOR']);
    expect(checkSilence(range(0, 100))).toEqual(['QC-SILENCE MINOR']);
  });
});

describe('audio and frame rate faults that may be intended', () => {
  test.each<[ProfileName, string]>([
    ['general', 'INFO'],
    ['ebu-r128', 'MINOR'],
    ['atsc-a85', 'MINOR'],
  ])('under the profile %s, identical channels and a variable frame rate are %s', (profile, severity) => {
    const stereo = { audibleSeconds: 100, identicalSeconds: 100, inverted: [], invertedSeconds: 0 };
    expect(codesWithSeverity({ audio: { stereo } }, profile)).toEqual([`QC-DUAL-MONO ${severity}`]);
    const timing = { ...video.timing, count: 1001, irregularCount: 300 };
    expect(codesWithSeverity({ video: { timing } }, profile)).toEqual([`QC-VFR ${severity}`]);
  });
  test('inverted phase is MINOR in a short passage and MAJOR in a tenth of the audio', () => {
    const ofSeconds = (invertedSeconds: number) => {
      const inverted = [range(1, 1 + invertedSeconds)];
      return codesWithSeverity({
        audio: { stereo: { audibleSeconds: 100, identicalSeconds: 0, inverted, invertedSeconds } },
      });
    };
    expect([ofSeconds(3), ofSeconds(10)]).toEqual([['QC-PHASE MINOR'], ['QC-PHASE MAJOR']]);
  });
});

describe('the severity of clipping', () => {
  const ofRuns = (runCount: number, longestRunSamples: number, durationSeconds = 100) =>
    codesWithSeverity({
      audio: { durationSeconds, clipping: { runCount, longestRunSamples, ranges: [range(1, 2)] } },
    });
  test.each([
    ['a single run of three samples', 1, 3, 'INFO'],
    ['a few clicks', 9, 100, 'INFO'],
    ['some clipped peaks', 10, 100, 'MINOR'],
    ['thousands of overs of a loud master, each too short to be heard', 5000, 12, 'MINOR'],
    ['a distorted recording', 100, 24, 'MAJOR'],
  ])('for %s (%d runs, the longest of %d samples) is %s', (_, runs, longest, severity) => {
    expect(ofRuns(runs, longest)).toEqual([`QC-CLIPPING ${severity}`]);
  });
  test('for a hundred peaks spread over an hour is MINOR', () => {
    expect(ofRuns(100, 100, 3600)).toEqual(['QC-CLIPPING MINOR']);
  });
});

test('a QC value beyond its limit is never reported as equal to the limit', () => {
  const stereo = { audibleSeconds: 100, identicalSeconds: 0, inverted: [], invertedSeconds: 50.1 };
  const timing = { ...video.timing, count: 100_001, irregularCount: 1001 };
  const outside = [{ ...range(5, 6), share: 0.010_02, worstSeconds: 5.5, low: 1, high: 200 }];
  const found = checkWithSeverity({
    video: {
      timing,
      freeze: [range(20, 25.002)],
      levels: { outside, lumaCounts: Array.from({ length: 256 }, () => 0) },
    },
    audio: { silence: [range(50, 53.002)], stereo },
    decoding: { audioEndSeconds: 99.498 },
  });
  expect(found).toHaveLength(6);
  for (const { measured, limit } of found) expect(measured).toBeGreaterThan(limit ?? Number.NaN);
  expect(codesWithSeverity({ audio: { silence: [range(50, 53.0004)] } })).toEqual([]);
});
