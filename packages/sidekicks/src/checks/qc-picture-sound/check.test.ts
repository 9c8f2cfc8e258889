import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { describe, expect, test } from 'vitest';
import type { VideoRecord } from '#evidence/media/decode/video/observe-video.ts';
import { builtInProfile } from '#profiles/built-in-profiles.ts';
import { extendProfile } from '#sidekick/profile.ts';
import { checkFaults, type Faults, lumas, range, video } from './samples/check-faults.ts';
import { sidekick } from './sidekick.ts';

const check = (faults: Faults, filename?: string) =>
  checkFaults(faults, filename ? declarationFor(filename) : undefined);
const ruleCodesOf = (seen: Faults, filename?: string) => check(seen, filename).map(({ ruleCode }) => ruleCode);

test('the qc-picture-sound check reports nothing for a file without faults', () => {
  expect(check({})).toEqual([]);
  expect(check({ video: null, probe: { streams: [{ kind: 'audio' }] } }, 'a.wav')).toEqual([]);
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
    ).toEqual(['QC-TRUNCATED', 'QC-NOT-VERIFIED']);
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
    expect(ruleCodesOf({ audio: { ...surround, layout: 'hexagonal' } })).toEqual(['QC-SILENT-CHANNEL']);
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

describe('a video without a picture', () => {
  const audioOnly = { video: null, probe: { streams: [{ kind: 'audio' }] }, decoding: { videoEndSeconds: null } };
  test('is reported if the file has no video track', () => {
    const found = check(audioOnly);
    expect(found).toMatchObject([{ ruleCode: 'QC-NO-VIDEO', subject: 'no picture', locations: [] }]);
    expect(found[0]?.summary).toMatch(/^The file has no video track\. /);
  });
  test('is reported if the only picture is cover art', () => {
    const streams = [{ kind: 'audio' }, { kind: 'video', isAttachedPicture: true, frameCount: 1 }];
    expect(ruleCodesOf({ ...audioOnly, probe: { streams } })).toEqual(['QC-NO-VIDEO']);
  });
  test('is reported if none of its frames can be decoded, and then it was not examined either', () => {
    const timing = { ...video.timing, count: 0, endSeconds: 0 };
    for (const record of [null, { timing }]) {
      const found = check({ video: record, decoding: { errorCount: 4, videoEndSeconds: 0 } });
      expect(found.map(({ ruleCode }) => ruleCode)).toContain('QC-NO-VIDEO');
      expect(found.at(-1)).toMatchObject({
        ruleCode: 'QC-NOT-VERIFIED',
        notExamined: { kind: 'video_stream', label: expect.stringMatching(/^video track 1, /), share: 1 },
      });
    }
  });
  test('is MINOR in QuickTime and MXF, in which audio alone is often delivered', () => {
    expect(check(audioOnly, 'a.mov')).toMatchObject([{ ruleCode: 'QC-NO-VIDEO', severityMax: 'MINOR' }]);
    expect(check(audioOnly, 'a.mp4')[0]).not.toHaveProperty('severityMax');
  });
  test('is not reported for an audio file', () => {
    expect(check(audioOnly, 'a.wav')).toEqual([]);
  });
});

describe('what was not examined', () => {
  const notExamined = (faults: Faults) => check(faults).flatMap((finding) => finding.notExamined ?? []);
  const damaged = { kind: 'frames', reason: 'damaged' };
  test('is nothing if every frame and sample was decoded', () => {
    expect(notExamined({ video: { black: [range(10, 15)] } })).toEqual([]);
  });
  test('of a file that is cut short is its end, with its share of the file', () => {
    expect(notExamined({ decoding: { isCutShort: true, videoEndSeconds: 40, audioEndSeconds: 42 } })).toEqual([
      { ...damaged, label: 'everything from 00:00:42:00 to 00:01:40:00', share: 0.58 },
    ]);
  });
  test('of a video with decoding errors are the damaged frames, and the levels of all', () => {
    expect(notExamined({ decoding: { errorCount: 1 } })).toEqual([
      { ...damaged, label: 'frames that cannot be decoded, levels of the whole video', share: null },
    ]);
  });
  test('of audio with decoding errors are the damaged frames', () => {
    const audioAlone = { video: null, probe: { streams: [{ kind: 'audio' }] } };
    const found = check({ ...audioAlone, decoding: { errorCount: 1, videoEndSeconds: null } }, 'a.wav');
    expect(found.at(-1)?.notExamined).toEqual({ ...damaged, label: 'frames that cannot be decoded', share: null });
  });
  test('is the audio if nothing of it was decoded', () => {
    expect(notExamined({ audio: null, decoding: { audioEndSeconds: null } })).toEqual([
      { kind: 'audio_stream', label: 'audio track 1', reason: 'damaged', share: 1 },
    ]);
  });
  test('are fields and frame times of which nothing is known, but not those of frames without motion', () => {
    const none = { tff: 0, bff: 0, progressive: 0, undetermined: 0 };
    const timing = { ...video.timing, longestSeconds: 0, usualSeconds: 0 };
    expect(notExamined({ video: { fields: none, timing } })).toEqual([
      { kind: 'video_stream', label: 'fields, times of the frames', reason: 'not_measurable', share: null },
    ]);
    expect(notExamined({ video: { fields: { ...none, undetermined: 2500 } } })).toEqual([]);
  });
  test('is what a stored profile limits more strictly than is measured', () => {
    const profile = extendProfile(builtInProfile('general'), { limits: { qcPictureSound: { levelMax: 235 } } });
    const found = checkFaults({}, { ...declarationFor('a.mp4'), profile });
    expect(found).toMatchObject([
      { ruleCode: 'QC-NOT-VERIFIED', notExamined: { label: 'values between the profile’s levelMax and 246' } },
    ]);
  });
  test('is a second video track', () => {
    const track = { kind: 'video', width: 64, height: 48, averageFrameRate: 25, isAttachedPicture: false };
    expect(notExamined({ probe: { streams: [track, { ...track }, { kind: 'audio' }] } })).toMatchObject([
      { kind: 'video_stream', label: 'video track 2' },
    ]);
  });
});

describe('a file of the category video', () => {
  const reason = (recognition: string) =>
    sidekick.nothingToExamine?.({ decoding: null, recognition } as never, declarationFor('a.mp4'));
  test('has nothing to examine only if its bytes show that it is something else', () => {
    expect(['text', 'application/pdf', 'image/png'].map(reason)).toEqual(Array(3).fill('nothing_in_file'));
    expect(['unknown', 'video/x-flv', 'application/ogg'].map(reason)).toEqual([null, null, null]);
  });
  test('is not examined if its format is unknown', () => {
    const evidence = { decoding: null, probe: null, video: null, audio: null, recognition: 'unknown' };
    expect(sidekick.check(evidence as never, declarationFor('a.mp4'))).toMatchObject([
      { ruleCode: 'QC-NOT-VERIFIED', notExamined: { label: 'the whole file', reason: 'unsupported', share: 1 } },
    ]);
  });
});

describe('a file', () => {
  test('that is incomplete is reported with a location from its actual to its declared end', () => {
    const found = check({ decoding: { isCutShort: true, videoEndSeconds: 40, audioEndSeconds: 42, errorCount: 2 } });
    expect(found).toMatchObject([
      { ruleCode: 'QC-TRUNCATED', subject: 'cut short', locations: [{ startMs: 42_000, endMs: 100_000 }] },
      { ruleCode: 'QC-NOT-VERIFIED' },
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
