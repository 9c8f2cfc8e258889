import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { describe, expect, test } from 'vitest';
import type { VideoRecord } from '#evidence/media/decode/video/observe-video.ts';
import { checkFaults, type Faults, lumas, range, video } from './samples/check-faults.ts';

const check = (faults: Faults, filename?: string) =>
  checkFaults(faults, filename ? declarationFor(filename) : undefined);
const ruleCodesOf = (seen: Faults, filename?: string) => check(seen, filename).map(({ ruleCode }) => ruleCode);

test('the qc-picture-sound check reports nothing for a file without faults', () => {
  expect(check({})).toEqual([]);
  expect(check({ video: null }, 'a.wav')).toEqual([]);
});

test('the severity reasoning of a QC finding names the check and the ffmpeg version', () => {
  const [found] = check({ video: { black: [range(10, 15)] } });
  expect(found?.severityReasoning).toContain('(ffmpeg 5.1.9; qc-picture-sound ');
});

describe('black, frozen and silent sections', () => {
  test('are reported only if they last longer than the profile allows', () => {
    expect(
      ruleCodesOf({ video: { black: [range(10, 12)], freeze: [range(20, 25)] }, audio: { silence: [range(30, 33)] } }),
    ).toEqual([]);
    expect(
      ruleCodesOf({
        video: { black: [range(10, 12.04)], freeze: [range(20, 25.04)] },
        audio: { silence: [range(30, 33.1)] },
      }),
    ).toEqual(['QC-BLACK', 'QC-FREEZE', 'QC-SILENCE']);
  });
  test('each get a location and a still from the middle of the section', () => {
    const found = check({ video: { black: [range(10, 15), range(50, 60)] } });
    expect(found).toMatchObject([
      {
        locations: [{ kind: 'timeRange', startMs: 10_000, endMs: 15_000 }],
        stillsAtMs: [12_500],
        measured: 5,
        limit: 2,
      },
      { locations: [{ startMs: 50_000, endMs: 60_000 }], stillsAtMs: [55_000] },
    ]);
    expect(found[0]?.summary).toBe(
      'Video is black for 5.00 s from 00:00:10:00 to 00:00:15:00 (limit 2.00 s). Shorten or replace the section.',
    );
  });
  test('are shown as longer than the limit even if they exceed it by only a few milliseconds', () => {
    const [found] = check({ video: { black: [range(10, 12.004)] } });
    expect(found).toMatchObject({ measured: 2.004, limit: 2 });
    expect(found?.severityReasoning).toContain('for 2.004 s; limit 2.00 s');
  });
  test('of an audio file are located by clock time instead of timecode', () => {
    const audioAlone = { video: null, probe: { streams: [{ kind: 'audio' }] } };
    const [found] = check({ ...audioAlone, audio: { silence: [range(10, 15.5)] } }, 'a.wav');
    expect(found?.summary).toContain('for 5.50 s from 0:10.00 to 0:15.50 (limit 3.00 s)');
  });
  test('that are black need review at the start or end of the video, but not in the middle or throughout', () => {
    const isCertain = (from: number, to: number) => check({ video: { black: [range(from, to)] } })[0]?.isCertain;
    expect([isCertain(0, 5), isCertain(95, 100), isCertain(50, 60), isCertain(0, 100)]).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
  test('are limited to the hundred longest for each rule', () => {
    const freeze = Array.from({ length: 300 }, (_, i) => range(i * 20, i * 20 + 6 + i / 100));
    const found = check({ video: { freeze } });
    expect(found).toHaveLength(100);
    expect(found[0]?.locations[0]?.startMs).toBe(4_000_000);
  });
  test('are summarised as silent throughout if the whole track is silent', () => {
    expect(check({ audio: { silence: [range(0, 100)] } })[0]?.summary).toContain('silent throughout');
  });
});

describe('video levels', () => {
  const outside = { ...range(5, 6), share: 0.2, worstSeconds: 5.5, low: 1, high: 200 };
  test('outside the limits are reported as one finding with all locations and at most three stills', () => {
    const found = check({
      video: {
        levels: { ...video.levels, outside: [0, 10, 20, 30].map((s) => ({ ...outside, ...range(s, s + 1) })) },
      },
    });
    expect(found).toMatchObject([{ ruleCode: 'QC-LEVELS', measured: 20, stillsAtMs: [0, 10_000, 20_000] }]);
    expect(found[0]?.locations).toHaveLength(4);
    expect(found[0]?.summary).toBe(
      'Levels are below 5 in up to 20.0 % of the frame (limit 1.0 %) from 00:00:00:00 and in 3 more sections. Correct the levels in grading or with a legaliser.',
    );
    expect(found[0]?.severityReasoning).toContain('RGB reaches 1 (allowed: 5 to 246); 20.0 % of the frame');
  });
  test('just beyond the limit are shown with one decimal place', () => {
    const [found] = check({
      video: { levels: { ...video.levels, outside: [{ ...outside, low: 20, high: 246.4 }] } },
    });
    expect(found?.severityReasoning).toContain('RGB reaches 246.4 (allowed: 5 to 246)');
  });
  test('that are full range but not flagged as such are reported as a wrong range flag, not as illegal levels', () => {
    const levels = { outside: [outside], lumaCounts: lumas(0, 255) };
    expect(ruleCodesOf({ video: { levels } })).toEqual(['QC-RANGE']);
    expect(
      ruleCodesOf({ video: { levels: { ...levels, outside: [] }, claimed: { ...video.claimed, isFullRange: true } } }),
    ).toEqual([]);
  });
  test('that overshoot on one side only, in few pixels or without reaching 0 and 255 are not taken for full range', () => {
    const ofLumas = (lumaCounts: number[]) => ruleCodesOf({ video: { levels: { outside: [], lumaCounts } } });
    const few = (from: number, to: number) => lumas(from, to).map((n, luma) => (luma < 16 ? Math.min(n, 0.1) : n));
    expect([ofLumas(lumas(16, 255)), ofLumas(few(0, 255)), ofLumas(lumas(8, 255))]).toEqual([[], [], []]);
  });
  test('that are flagged full range but reach about 16 and 235 need review', () => {
    const claimed = { ...video.claimed, isFullRange: true };
    expect(check({ video: { claimed } })).toMatchObject([{ ruleCode: 'QC-RANGE-SUSPECT', isCertain: false }]);
    const ringing = lumas(13, 244).map((n, luma) => (luma < 16 || luma > 235 ? Math.min(n, 0.01) : n));
    const stray = lumas(5, 255).map((n, luma) => (luma < 16 || luma > 235 ? Math.min(n, 0.0005) : n));
    for (const lumaCounts of [ringing, stray])
      expect(ruleCodesOf({ video: { claimed, levels: { outside: [], lumaCounts } } })).toEqual(['QC-RANGE-SUSPECT']);
    expect(ruleCodesOf({ video: { claimed, levels: { outside: [], lumaCounts: lumas(13, 244) } } })).toEqual([]);
    expect(ruleCodesOf({ video: { claimed, levels: { outside: [], lumaCounts: lumas(40, 235) } } })).toEqual([]);
  });
  test('of a damaged video are not checked', () => {
    expect(
      ruleCodesOf({
        video: { levels: { outside: [outside], lumaCounts: lumas(0, 255) } },
        decoding: { errorCount: 3 },
      }),
    ).toEqual(['QC-TRUNCATED']);
  });
});

describe('the motion checks', () => {
  const fields = (tff: number, bff: number, progressive = 0) => ({ tff, bff, progressive, undetermined: 10 });
  const flagged = (fieldOrder: VideoRecord['claimed']['fieldOrder']) => ({ ...video.claimed, fieldOrder });
  test.each<[string, VideoRecord['claimed']['fieldOrder'], VideoRecord['fields'], string[]]>([
    ['report top-field-first video', 'progressive', fields(500, 5), ['QC-FIELDS']],
    ['report top-field-first video', null, fields(500, 5), ['QC-FIELDS']],
    ['accept top-field-first video', 'tff', fields(500, 5), []],
    ['report bottom-field-first video', 'tff', fields(5, 500), ['QC-FIELDS']],
    ['report top-field-first video', 'bff', fields(500, 5), ['QC-FIELDS']],
    ['accept progressive video', 'tff', fields(0, 0, 500), []],
    ['accept video of undecided field order', 'progressive', fields(300, 200), []],
    ['accept video with a fifth of its frames interlaced', 'progressive', fields(100, 0, 400), []],
    ['accept video with only 15 interlaced frames', 'progressive', fields(15, 0), []],
  ])('%s that is flagged as %s', (_, order, seen, expected) => {
    expect(ruleCodesOf({ video: { claimed: flagged(order), fields: seen } })).toEqual(expected);
  });
  test('report a variable frame rate if at least five frames, and more than 1 % of all frames, are irregular', () => {
    const timing = (irregularCount: number, count = 1001) => ({
      video: { timing: { ...video.timing, count, irregularCount } },
    });
    expect([ruleCodesOf(timing(10)), ruleCodesOf(timing(11)), ruleCodesOf(timing(4, 101))]).toEqual([
      [],
      ['QC-VFR'],
      [],
    ]);
  });
});

describe('the audio checks', () => {
  test('report clipping as one finding with all locations', () => {
    const clipping = { runCount: 7, longestRunSamples: 9, ranges: [range(1, 1.1), range(70, 70.2)] };
    expect(check({ audio: { clipping } })).toMatchObject([
      { ruleCode: 'QC-CLIPPING', measured: 7, locations: [{ startMs: 1000 }, { startMs: 70_000, endMs: 70_200 }] },
    ]);
  });
  const stereo = { audibleSeconds: 100, identicalSeconds: 0, inverted: [], invertedSeconds: 0 };
  test('report channels as identical if they match for more than 99 % of the audible time', () => {
    expect(ruleCodesOf({ audio: { stereo: { ...stereo, identicalSeconds: 99.1 } } })).toEqual(['QC-DUAL-MONO']);
    expect(ruleCodesOf({ audio: { stereo: { ...stereo, identicalSeconds: 99 } } })).toEqual([]);
  });
  test('report inverted phase that lasts more than two seconds in a row or half of the audible time', () => {
    const inverted = (seconds: number, ...ranges: ReturnType<typeof range>[]) =>
      ruleCodesOf({ audio: { stereo: { ...stereo, inverted: ranges, invertedSeconds: seconds } } });
    expect([inverted(2.1, range(1, 3.1)), inverted(2, range(1, 3)), inverted(50.1), inverted(50)]).toEqual([
      ['QC-PHASE'],
      [],
      ['QC-PHASE'],
      [],
    ]);
  });
  test('report a silent channel, except the LFE channel of 5.1', () => {
    const channels = (...peaks: (number | null)[]) =>
      peaks.map((peakDb) => ({ peakDb, audibleSeconds: peakDb === null ? 0 : 90 }));
    expect(check({ audio: { channels: channels(-3, null) } })).toMatchObject([
      { ruleCode: 'QC-SILENT-CHANNEL', subject: 'silent channel: right' },
    ]);
    const surround = { channels: channels(-3, -3, -3, null, -9, -9), stereo: null };
    expect(ruleCodesOf({ audio: { ...surround, layout: '5.1(side)' } })).toEqual([]);
    expect(ruleCodesOf({ audio: { ...surround, layout: null } })).toEqual(['QC-SILENT-CHANNEL']);
  });
  test('report no silent channel if all channels are silent', () => {
    const nothing = { peakDb: null, audibleSeconds: 0 };
    expect(
      ruleCodesOf({
        audio: { channels: [nothing, nothing], audibleSeconds: 0, stereo: { ...stereo, audibleSeconds: 0 } },
      }),
    ).toEqual([]);
  });
  test('report that a video has no audio', () => {
    expect(
      ruleCodesOf({ audio: null, probe: { streams: [{ kind: 'video' }] }, decoding: { audioEndSeconds: null } }),
    ).toEqual(['QC-NO-AUDIO']);
  });
});

describe('a file', () => {
  test('that is incomplete is reported with a location from its actual to its declared end', () => {
    const found = check({ decoding: { isCutShort: true, videoEndSeconds: 40, audioEndSeconds: 42, errorCount: 2 } });
    expect(found).toMatchObject([
      { ruleCode: 'QC-TRUNCATED', subject: 'cut short', locations: [{ startMs: 42_000, endMs: 100_000 }] },
    ]);
    expect(found[0]?.summary).toBe(
      'The file is incomplete: it plays to 00:00:42:00 of 00:01:40:00. Export the file again.',
    );
  });
  test('that is damaged is reported with the number of decoding errors', () => {
    expect(check({ decoding: { errorCount: 2 } })[0]?.summary).toBe('2 decoding errors. Export the file again.');
  });
  test('is reported if its video and audio end more than half a second apart', () => {
    expect(ruleCodesOf({ decoding: { audioEndSeconds: 99.5 } })).toEqual([]);
    expect(check({ decoding: { audioEndSeconds: 99.4 } })).toMatchObject([
      { ruleCode: 'QC-AV-LENGTH', locations: [{ startMs: 99_400, endMs: 100_000 }] },
    ]);
  });
});
