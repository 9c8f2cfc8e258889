import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { describe, expect, test } from 'vitest';
import type { Evidence } from '#evidence/evidence.ts';
import type { Cue } from '#evidence/media/captions/parse-cues.ts';
import { builtInProfile } from '#profiles/built-in-profiles.ts';
import { extendProfile } from '#sidekick/profile.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import { runsMax } from './runs.ts';
import { type Activity, checkVideo as check, stream, track } from './samples/check-video.ts';
import { sidekick } from './sidekick.ts';

const cue = (from: number, to: number, ...lines: string[]): Cue => ({
  startMs: from * 1000,
  endMs: to * 1000,
  lines,
  line: 1,
});
const ruleCodesOf = (found: Finding[]) => found.map(({ ruleCode }) => ruleCode);
const oneMinuteOfAudio = [{ startSeconds: 0, endSeconds: 60 }];
const oneMinuteCaption = [cue(0, 60, 'All of it')];

describe('a video with audio and without captions', () => {
  test('needs review, because the audio may not be speech', () => {
    const found = check({ active: oneMinuteOfAudio });
    expect(found).toMatchObject([{ ruleCode: 'CAPT-MISSING', isCertain: false, measured: 60, limit: 5, unit: 's' }]);
    expect(found[0]?.severityReasoning).toContain('(ffprobe 5.1.9; captions 1.1.0)');
  });

  test.each<[string, Activity | null]>([
    ['there is no audio', null],
    ['the audio is silent', []],
    ['the audio is as short as a jingle', [{ startSeconds: 1, endSeconds: 5.9 }]],
  ])('is not reported if %s', (_, active) => {
    expect(check({ active })).toEqual([]);
  });

  test('is reported if separate sections of audio add up to more than five seconds', () => {
    const ofSections = (seconds: number) =>
      [0, 10, 20, 30, 40].map((startSeconds) => ({ startSeconds, endSeconds: startSeconds + seconds }));
    expect(ruleCodesOf(check({ active: ofSections(1) }))).toEqual([]);
    expect(ruleCodesOf(check({ active: ofSections(1.1) }))).toEqual(['CAPT-MISSING']);
  });

  test('is reported as audio without a transcript if the only video stream is cover art', () => {
    const cover = stream(0, 'video', { isAttachedPicture: true });
    const found = check({ active: oneMinuteOfAudio, streams: [cover, stream(1, 'audio')] }, declarationFor('a.mp3'));
    expect(found).toMatchObject([{ ruleCode: 'CAPT-NO-TRANSCRIPT', isCertain: false }]);
  });
});

describe('audio without a caption', () => {
  const between = [cue(0, 20, 'One'), cue(36, 60, 'two')];

  test('is reported with the start and the end of the gap', () => {
    const found = check({ tracks: [track(between)], active: oneMinuteOfAudio });
    expect(found).toMatchObject([
      {
        ruleCode: 'CAPT-GAP',
        isCertain: false,
        measured: 16,
        limit: 15,
        locations: [{ kind: 'timeRange', startMs: 20_000, endMs: 36_000 }],
      },
    ]);
  });

  test.each<[string, Cue[], Activity]>([
    ['not longer than 15 s', [cue(0, 20, 'One'), cue(35, 60, 'two')], oneMinuteOfAudio],
    [
      'partly silent',
      between,
      [
        { startSeconds: 0, endSeconds: 25 },
        { startSeconds: 26, endSeconds: 60 },
      ],
    ],
    ['captioned throughout', oneMinuteCaption, oneMinuteOfAudio],
  ])('is not reported where it is %s', (_, cues, active) => {
    expect(check({ tracks: [track(cues)], active })).toEqual([]);
  });

  test('is reported before the first caption and after the last', () => {
    const found = check({ tracks: [track([cue(20, 30, 'One')])], active: oneMinuteOfAudio });
    expect(found.map(({ locations }) => locations[0])).toMatchObject([
      { startMs: 0, endMs: 20_000 },
      { startMs: 30_000, endMs: 60_000 },
    ]);
  });

  test('is not reported where any track has captions, or a track could not be read', () => {
    const [first, second] = [track([cue(0, 20, 'One')]), track([cue(20, 60, 'two')], { streamIndex: 3 })];
    expect(check({ tracks: [first, second], active: oneMinuteOfAudio })).toEqual([]);
    const bitmap = track(null, { streamIndex: 3, kind: 'bitmap' });
    expect(ruleCodesOf(check({ tracks: [first, bitmap], active: oneMinuteOfAudio }))).toEqual(['CAPT-UNREADABLE']);
  });

  test('is reported where a caption has no text', () => {
    const found = check({ tracks: [track([cue(0, 20, 'One'), cue(20, 60)])], active: oneMinuteOfAudio });
    expect(ruleCodesOf(found)).toEqual(['CAPT-GAP', 'CAPT-BLANK']);
  });
});

describe('a caption track', () => {
  test('without cues is reported as empty', () => {
    expect(ruleCodesOf(check({ tracks: [track([])], active: oneMinuteOfAudio }))).toEqual(['CAPT-EMPTY']);
  });

  test('without a language is reported', () => {
    const [found] = check({ tracks: [track(oneMinuteCaption, { language: null })] });
    expect(found).toMatchObject({ ruleCode: 'CAPT-LANGUAGE', subject: 'language of track 2' });
  });

  test('in the video stream needs review, but its missing language is not reported', () => {
    const hidden = track(null, { streamIndex: 0, kind: '608', codec: 'eia_608', language: null });
    expect(check({ tracks: [hidden], active: oneMinuteOfAudio })).toMatchObject([
      { ruleCode: 'CAPT-UNREADABLE', subject: 'unread captions: 608', isCertain: false },
    ]);
  });

  test.each(['bitmap', 'text'] as const)(
    'of kind %s that cannot be read needs review, and all such tracks share one finding',
    (kind) => {
      const tracks = [2, 3].map((streamIndex) => track(null, { kind, streamIndex }));
      expect(check({ tracks })).toMatchObject([{ ruleCode: 'CAPT-UNREADABLE', isCertain: false, measured: 2 }]);
    },
  );

  test('is named in the summary of a finding, together with the time of the caption', () => {
    const [found] = check({ tracks: [track([cue(71.25, 73, 'Much too late')], { language: 'deu' })] });
    expect(found?.summary).toContain(
      'The caption at 00:01:11:06 in track 2 (deu) starts after the end of the video at 00:01:00:00.',
    );
  });
});

describe('a caption after the end of the video', () => {
  const late = (from: number) => [track([cue(from, from + 2, 'Late')])];

  test('is reported if it starts more than 500 ms after the last video or audio stream ends', () => {
    expect(check({ tracks: late(60.5) })).toEqual([]);
    expect(check({ tracks: late(60.6) })).toMatchObject([{ ruleCode: 'CAPT-OUT-OF-RANGE', measured: 600, limit: 500 }]);
  });

  test('is compared with the Matroska duration tag, with or without a language suffix', () => {
    for (const name of ['DURATION', 'DURATION-eng']) {
      const tags = [{ name, value: '00:01:10.003000000' }];
      const streams = [
        stream(0, 'video', { durationSeconds: null, tags }),
        stream(2, 'subtitle', { durationSeconds: 999 }),
      ];
      expect(check({ tracks: late(70.5), streams })).toEqual([]);
      expect(ruleCodesOf(check({ tracks: late(70.6), streams }))).toEqual(['CAPT-OUT-OF-RANGE']);
    }
  });

  test('is not reported if the duration is unknown', () => {
    expect(check({ tracks: late(99), streams: [stream(0, 'video', { durationSeconds: null })] })).toEqual([]);
  });
});

describe('caption findings', () => {
  test('are limited in number, however many captions are faulty', () => {
    const cues = Array.from({ length: 20_000 }, (_, i) => cue(i * 4, i * 4 + 2, ...(i % 3 ? ['a'] : ['a', 'b', 'c'])));
    const streams = [stream(0, 'video', { durationSeconds: 100_000 })];
    const found = check({ tracks: [track(cues)], streams });
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThanOrEqual(runsMax);
    expect(found[0]?.summary).toMatch(/^[\d,]+ captions from 00:00:00:00 to /);
  });

  test('have unique subjects that do not change when times are shifted', () => {
    const subjects = (shift: number) =>
      check({
        tracks: [
          track([
            cue(shift, shift + 3, 'a', 'b', 'c'),
            cue(shift + 4, shift + 6, 'x'),
            cue(shift + 7, shift + 9, 'a', 'b', 'c'),
          ]),
        ],
      }).map(({ subject }) => subject);
    expect(subjects(0)).toEqual(['track 2 (eng): a / b / c', 'track 2 (eng): a / b / c (2)']);
    expect(subjects(5)).toEqual(subjects(0));
  });

  test("use the profile's limits", () => {
    const captions = { wordsPerMinuteMinor: 30, wordsPerMinuteMajor: 90, linesMax: 1 };
    const profile = extendProfile(builtInProfile('ebu-r128'), { limits: { captions } });
    const cueFile = { format: 'srt', language: null, cues: [cue(0, 2, 'One', 'two')], flaws: [] };
    const evidence = { cueFile, embeddedCaptions: null, probe: null, audio: null } as unknown as Evidence;
    const found = sidekick.check(evidence, { ...declarationFor('a.srt'), profile });
    expect(found).toMatchObject([
      { ruleCode: 'CAPT-FAST', measured: 60, limit: 30 },
      { ruleCode: 'CAPT-LINES', measured: 2, limit: 1 },
    ]);
  });

  test('quote captions without control characters and with a limited length', () => {
    const [found] = check({ tracks: [track([cue(1, 4, `\u202e\u0007${'x'.repeat(5000)}`, 'b', 'c')])] });
    expect(found?.locations[0]?.text).toBe(`··${'x'.repeat(58)}…`);
    expect(found?.subject.length).toBeLessThan(100);
  });
});
