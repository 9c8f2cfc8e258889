import { describe, expect, test } from 'vitest';
import { declaredAs } from '../../../../../test/support/declared-as.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { Decoding } from '../../evidence/pass/decoding.ts';
import type { PictureRecord } from '../../evidence/pass/picture/observe-picture.ts';
import type { SoundRecord } from '../../evidence/pass/sound/observe-sound.ts';
import { sidekick } from './sidekick.ts';

const series = { stepSeconds: 0.1, values: [] };
const range = (startSeconds: number, endSeconds: number) => ({ startSeconds, endSeconds });
/** How many pixels have each luma: as many of each from one to another. */
const lumas = (from: number, to: number) => Array.from({ length: 256 }, (_, i) => (i >= from && i <= to ? 10 : 0));
const picture: PictureRecord = {
  claimed: { fieldOrder: 'progressive', isFullRange: false, matrix: 'bt709', frameRate: 25 },
  timing: {
    ...{ count: 2500, firstSeconds: 0, lastSeconds: 99.96, endSeconds: 100, irregularCount: 0 },
    ...{ shortestSeconds: 0.04, longestSeconds: 0.04, usualSeconds: 0.04 },
  },
  black: [],
  freeze: [],
  levels: { outside: [], lumaCounts: lumas(16, 235) },
  fields: { tff: 0, bff: 0, progressive: 2400, undetermined: 100 },
  luminance: series,
};
const sound: SoundRecord = {
  ...{ sampleRate: 48_000, layout: 'stereo', durationSeconds: 100, soundingSeconds: 100 },
  channels: [
    { peakDb: -3, soundingSeconds: 100 },
    { peakDb: -3, soundingSeconds: 100 },
  ],
  silence: [],
  clipping: { runCount: 0, longestRunSamples: 0, ranges: [] },
  stereo: { soundingSeconds: 100, identicalSeconds: 2, inverted: [], invertedSeconds: 0 },
  active: [],
  level: series,
};
const decoding: Decoding = {
  errorCount: 0,
  messages: [],
  pictureEndSeconds: 100,
  soundEndSeconds: 100,
  isCutShort: false,
};
const probe = { reader: 'ffprobe 5.1.9', durationSeconds: 100, streams: [{ kind: 'video' }, { kind: 'audio' }] };

type Seen = {
  picture?: Partial<PictureRecord> | null;
  sound?: Partial<SoundRecord> | null;
  decoding?: Partial<Decoding>;
  probe?: object;
};
function check(seen: Seen, filename = 'a.mp4') {
  const evidence = {
    picture: seen.picture === null ? null : { ...picture, ...seen.picture },
    sound: seen.sound === null ? null : { ...sound, ...seen.sound },
    decoding: { ...decoding, ...seen.decoding },
    probe: { ...probe, ...seen.probe },
  } as unknown as Evidence;
  return sidekick.check(evidence, declaredAs(filename));
}
const codes = (seen: Seen, filename?: string) => check(seen, filename).map(({ ruleCode }) => ruleCode);

test('of what is as it should be there is nothing to say', () => {
  expect(check({})).toEqual([]);
  expect(check({ picture: null }, 'a.wav')).toEqual([]);
});

test('the engine and the version stand in the reasoning', () => {
  const [found] = check({ picture: { black: [range(10, 15)] } });
  expect(found?.severityReasoning).toContain('(ffmpeg 5.1.9; qc-picture-sound ');
});

describe('black, frozen, silent', () => {
  test('only what lasts longer than the house allows', () => {
    expect(
      codes({ picture: { black: [range(10, 12)], freeze: [range(20, 25)] }, sound: { silence: [range(30, 33)] } }),
    ).toEqual([]);
    expect(
      codes({
        picture: { black: [range(10, 12.04)], freeze: [range(20, 25.04)] },
        sound: { silence: [range(30, 33.1)] },
      }),
    ).toEqual(['QC-BLACK', 'QC-FREEZE', 'QC-SILENCE']);
  });
  test('each has its own place, and a still from its middle', () => {
    const found = check({ picture: { black: [range(10, 15), range(50, 60)] } });
    expect(found).toMatchObject([
      {
        locations: [{ kind: 'timeRange', startMs: 10_000, endMs: 15_000 }],
        stillsAtMs: [12_500],
        measured: 5,
        limit: 2,
      },
      { locations: [{ startMs: 50_000, endMs: 60_000 }], stillsAtMs: [55_000] },
    ]);
    expect(found[0]?.summary).toBe('The picture is black for 5.0 s, from 0:10.0 to 0:15.0.');
  });
  test('black at either end may be meant; in the middle and throughout it is not', () => {
    const isCertain = (from: number, to: number) => check({ picture: { black: [range(from, to)] } })[0]?.isCertain;
    expect([isCertain(0, 5), isCertain(95, 100), isCertain(50, 60), isCertain(0, 100)]).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
  test('hundreds of them are told by the longest hundred', () => {
    const freeze = Array.from({ length: 300 }, (_, i) => range(i * 20, i * 20 + 6 + i / 100));
    const found = check({ picture: { freeze } });
    expect(found).toHaveLength(100);
    expect(found[0]?.locations[0]?.startMs).toBe(4_000_000);
  });
  test('a silent track says so', () => {
    expect(check({ sound: { silence: [range(0, 100)] } })[0]?.summary).toContain('silent throughout');
  });
});

describe('levels and range', () => {
  const outside = { ...range(5, 6), share: 0.2, worstSeconds: 5.5, low: 1, high: 200 };
  test('levels outside are one finding with all its places and at most three stills', () => {
    const found = check({
      picture: {
        levels: { ...picture.levels, outside: [0, 10, 20, 30].map((s) => ({ ...outside, ...range(s, s + 1) })) },
      },
    });
    expect(found).toMatchObject([{ ruleCode: 'QC-LEVELS', measured: 20, stillsAtMs: [0, 10_000, 20_000] }]);
    expect(found[0]?.locations).toHaveLength(4);
    expect(found[0]?.summary).toContain('darker');
  });
  test('full range that nobody says is one finding, not two', () => {
    const levels = { outside: [outside], lumaCounts: lumas(0, 255) };
    expect(codes({ picture: { levels } })).toEqual(['QC-RANGE']);
    expect(
      codes({ picture: { levels: { ...levels, outside: [] }, claimed: { ...picture.claimed, isFullRange: true } } }),
    ).toEqual([]);
  });
  test('overshoot is not full range: on one side, of a few pixels, or not to the end', () => {
    const ofLumas = (lumaCounts: number[]) => codes({ picture: { levels: { outside: [], lumaCounts } } });
    const few = (from: number, to: number) => lumas(from, to).map((n, luma) => (luma < 16 ? Math.min(n, 0.1) : n));
    expect([ofLumas(lumas(16, 255)), ofLumas(few(0, 255)), ofLumas(lumas(8, 255))]).toEqual([[], [], []]);
  });
  test('what is called full and keeps to 16 and 235 is suspect, and no more than that', () => {
    const claimed = { ...picture.claimed, isFullRange: true };
    expect(check({ picture: { claimed } })).toMatchObject([{ ruleCode: 'QC-RANGE-SUSPECT', isCertain: false }]);
    expect(codes({ picture: { claimed, levels: { outside: [], lumaCounts: lumas(40, 235) } } })).toEqual([]);
  });
  test('damaged pictures are not judged by their levels', () => {
    expect(
      codes({ picture: { levels: { outside: [outside], lumaCounts: lumas(0, 255) } }, decoding: { errorCount: 3 } }),
    ).toEqual(['QC-TRUNCATED']);
  });
});

describe('fields and rate', () => {
  const fields = (tff: number, bff: number, progressive = 0) => ({ tff, bff, progressive, undetermined: 10 });
  const flagged = (fieldOrder: PictureRecord['claimed']['fieldOrder']) => ({ ...picture.claimed, fieldOrder });
  test.each<[string, PictureRecord['claimed']['fieldOrder'], PictureRecord['fields'], string[]]>([
    ['fields that are not flagged', 'progressive', fields(500, 5), ['QC-FIELDS']],
    ['fields of which nothing is said', null, fields(500, 5), ['QC-FIELDS']],
    ['flagged as they are', 'tff', fields(500, 5), []],
    ['the other order', 'tff', fields(5, 500), ['QC-FIELDS']],
    ['the other order', 'bff', fields(500, 5), ['QC-FIELDS']],
    ['no fields in what is flagged so', 'tff', fields(0, 0, 500), []],
    ['a detector that cannot decide', 'progressive', fields(300, 200), []],
    ['a few pictures only', 'progressive', fields(100, 0, 400), []],
    ['next to none', 'progressive', fields(15, 0), []],
  ])('%s (flagged %s)', (_, order, seen, expected) => {
    expect(codes({ picture: { claimed: flagged(order), fields: seen } })).toEqual(expected);
  });
  test('a rate varies when more than a hundredth of the pictures is off', () => {
    const timing = (irregularCount: number, count = 1001) => ({
      picture: { timing: { ...picture.timing, count, irregularCount } },
    });
    expect([codes(timing(10)), codes(timing(11)), codes(timing(4, 101))]).toEqual([[], ['QC-VFR'], []]);
  });
});

describe('sound', () => {
  test('clipping is one finding with its places', () => {
    const clipping = { runCount: 7, longestRunSamples: 9, ranges: [range(1, 1.1), range(70, 70.2)] };
    expect(check({ sound: { clipping } })).toMatchObject([
      { ruleCode: 'QC-CLIPPING', measured: 7, locations: [{ startMs: 1000 }, { startMs: 70_000, endMs: 70_200 }] },
    ]);
  });
  const stereo = { soundingSeconds: 100, identicalSeconds: 0, inverted: [], invertedSeconds: 0 };
  test('the same on both sides nearly always', () => {
    expect(codes({ sound: { stereo: { ...stereo, identicalSeconds: 99 } } })).toEqual(['QC-DUAL-MONO']);
    expect(codes({ sound: { stereo: { ...stereo, identicalSeconds: 98 } } })).toEqual([]);
  });
  test('turned over for two seconds on end, or half of the time', () => {
    const inverted = (seconds: number, ...ranges: ReturnType<typeof range>[]) =>
      codes({ sound: { stereo: { ...stereo, inverted: ranges, invertedSeconds: seconds } } });
    expect([inverted(2, range(1, 3)), inverted(1.9, range(1, 2.9)), inverted(50)]).toEqual([
      ['QC-PHASE'],
      [],
      ['QC-PHASE'],
    ]);
  });
  test('a channel without anything, but for the effects of 5.1', () => {
    const channels = (...peaks: (number | null)[]) =>
      peaks.map((peakDb) => ({ peakDb, soundingSeconds: peakDb === null ? 0 : 90 }));
    expect(check({ sound: { channels: channels(-3, null) } })).toMatchObject([
      { ruleCode: 'QC-SILENT-CHANNEL', subject: 'silent channel: right' },
    ]);
    const surround = { channels: channels(-3, -3, -3, null, -9, -9), stereo: null };
    expect(codes({ sound: { ...surround, layout: '5.1(side)' } })).toEqual([]);
    expect(codes({ sound: { ...surround, layout: null } })).toEqual(['QC-SILENT-CHANNEL']);
  });
  test('where nothing sounds at all, no channel is blamed', () => {
    const nothing = { peakDb: null, soundingSeconds: 0 };
    expect(
      codes({ sound: { channels: [nothing, nothing], soundingSeconds: 0, stereo: { ...stereo, soundingSeconds: 0 } } }),
    ).toEqual([]);
  });
  test('a film without sound says so, a sound without film does not', () => {
    expect(
      codes({ sound: null, probe: { streams: [{ kind: 'video' }] }, decoding: { soundEndSeconds: null } }),
    ).toEqual(['QC-NO-AUDIO']);
  });
});

describe('the file', () => {
  test('cut short: from where it ends to where it should', () => {
    const found = check({ decoding: { isCutShort: true, pictureEndSeconds: 40, soundEndSeconds: 42, errorCount: 2 } });
    expect(found).toMatchObject([
      { ruleCode: 'QC-TRUNCATED', subject: 'cut short', locations: [{ startMs: 42_000, endMs: 100_000 }] },
    ]);
  });
  test('picture and sound may end half a second apart', () => {
    expect(codes({ decoding: { soundEndSeconds: 99.5 } })).toEqual([]);
    expect(check({ decoding: { soundEndSeconds: 99.4 } })).toMatchObject([
      { ruleCode: 'QC-AV-LENGTH', locations: [{ startMs: 99_400, endMs: 100_000 }] },
    ]);
  });
});
