import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { describe, expect, test } from 'vitest';
import type { Evidence } from '#evidence/evidence.ts';
import type { UnreadCause } from '#evidence/media/captions/caption-track.ts';
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
    expect(found[0]?.severityReasoning).toContain('(ffprobe 5.1.9; captions 1.2.1)');
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

  test('is reported for a track and names it, although another language is complete', () => {
    const english = track([cue(0, 20, 'One')]);
    const french = track([cue(0, 60, 'Tout')], { streamIndex: 3, language: 'fra' });
    for (const tracks of [
      [english, french],
      [french, english],
    ]) {
      const found = check({ tracks, active: oneMinuteOfAudio });
      expect(found).toMatchObject([{ ruleCode: 'CAPT-GAP', subject: 'sound without captions: track 2 (eng)' }]);
      expect(found[0]?.summary).toContain('Audio without captions in track 2 (eng) from 00:00:20:00 to 00:01:00:00.');
    }
  });

  test('is reported with the subject that it has always had if there is only one track', () => {
    const [found] = check({ tracks: [track([cue(0, 20, 'One')])], active: oneMinuteOfAudio });
    expect(found).toMatchObject({ ruleCode: 'CAPT-GAP', subject: 'sound without captions' });
    expect(found?.summary).toMatch(/^Audio without captions from /);
  });

  test.each(['bitmap', '608', 'text'] as const)('is reported beside a track of kind %s that cannot be read', (kind) => {
    const tracks = [track([cue(0, 20, 'One')]), track(null, { streamIndex: 3, kind })];
    expect(ruleCodesOf(check({ tracks, active: oneMinuteOfAudio }))).toEqual(['CAPT-GAP', 'CAPT-UNREADABLE']);
  });

  test('is not reported for a track of signs, which hides no gap of another track', () => {
    const signs = track([cue(30, 32, 'Exit')], { streamIndex: 3, isForced: true });
    expect(check({ tracks: [track(oneMinuteCaption), signs], active: oneMinuteOfAudio })).toEqual([]);
    const filling = track([cue(15, 60, 'Exit')], { streamIndex: 3, isForced: true });
    const found = check({ tracks: [track([cue(0, 20, 'One')]), filling], active: oneMinuteOfAudio });
    expect(found).toMatchObject([{ ruleCode: 'CAPT-GAP', subject: 'sound without captions: track 2 (eng)' }]);
  });

  test('means missing captions if all tracks are for signs, unless one of them covers the audio', () => {
    const signs = (cues: Cue[] | null) => [track(cues, { isForced: true })];
    const found = check({ tracks: signs([cue(30, 32, 'Exit')]), active: oneMinuteOfAudio });
    expect(found).toMatchObject([{ ruleCode: 'CAPT-MISSING', subject: 'no captions' }]);
    expect(found[0]?.summary).toContain('except those for signs or foreign speech');
    expect(check({ tracks: signs(oneMinuteCaption), active: oneMinuteOfAudio })).toEqual([]);
    expect(ruleCodesOf(check({ tracks: signs(null), active: oneMinuteOfAudio }))).toEqual([
      'CAPT-MISSING',
      'CAPT-UNREADABLE',
    ]);
  });

  test('is not reported after the last caption that was read of a track with too many', () => {
    const cut = track([cue(0, 2, 'One'), cue(20, 22, 'two')], { unread: ['tooManyCues'] });
    expect(check({ tracks: [cut], active: oneMinuteOfAudio })).toMatchObject([
      { ruleCode: 'CAPT-GAP', locations: [{ startMs: 2000, endMs: 20_000 }] },
      { ruleCode: 'CAPT-UNREADABLE' },
    ]);
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

  test('that cannot be read is a part of its own, beside others of its kind', () => {
    const tracks = [2, 3].map((streamIndex) => track(null, { kind: 'bitmap', streamIndex, unread: ['images'] }));
    const part = (label: string) => ({ kind: 'caption_track', label, reason: 'unsupported', share: 1 });
    expect(check({ tracks })).toMatchObject([
      { subject: 'unread captions: bitmap', isCertain: false, notExamined: part('captions, track 2 (eng)') },
      { subject: 'unread captions: bitmap (2)', isCertain: false, notExamined: part('captions, track 3 (eng)') },
    ]);
  });

  test.each<[UnreadCause, string]>([
    ['images', 'unsupported'],
    ['format', 'unsupported'],
    ['videoFrames', 'unsupported'],
    ['ancillaryData', 'unsupported'],
    ['encryption', 'encrypted'],
    ['tooManyTracks', 'limit_reached'],
    ['toolLimit', 'limit_reached'],
    ['damage', 'damaged'],
  ])('that is not read because of %s is not examined with the reason %s', (cause, reason) => {
    const [found, ...others] = check({ tracks: [track(null, { unread: [cause] })] });
    expect(others).toEqual([]);
    expect(found).toMatchObject({ ruleCode: 'CAPT-UNREADABLE', notExamined: { reason, share: 1 } });
    expect(found?.summary).toMatch(/^The captions in track 2 \(eng\) .*\. .*\.$/);
  });

  test.each<[UnreadCause, string, string]>([
    ['damage', 'damaged', 'captions that cannot be decoded, track 2 (eng)'],
    ['tooManyCues', 'limit_reached', 'captions after the first 20,000, track 2 (eng)'],
    ['longText', 'limit_reached', 'text beyond 2,000 characters of a caption, track 2 (eng)'],
  ])('that is read in part because of %s is examined, and says which part is not', (cause, reason, label) => {
    const input = { tracks: [track([cue(1, 4, 'a', 'b', 'c')], { unread: [cause] })] };
    expect(check(input)).toMatchObject([
      { ruleCode: 'CAPT-UNREADABLE', notExamined: { kind: 'caption_track', label, reason, share: null } },
      { ruleCode: 'CAPT-LINES' },
    ]);
  });

  test('beyond the eighth that is not read for the same cause shares one part with the others', () => {
    const tracks = Array.from({ length: 30 }, (_, i) => track(null, { streamIndex: i + 2, unread: ['images'] }));
    const labels = check({ tracks }).map(({ notExamined }) => notExamined?.label);
    expect(labels).toHaveLength(9);
    expect(labels.at(-1)).toBe('22 more caption tracks');
  });

  test('in the frames of a video makes the check incomplete if the frames could not be searched', () => {
    expect(check({ unsearched: 'toolLimit', active: oneMinuteOfAudio })).toMatchObject([
      { ruleCode: 'CAPT-MISSING' },
      { ruleCode: 'CAPT-UNREADABLE', notExamined: { reason: 'limit_reached' } },
    ]);
  });

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

  test('is compared with a stream that starts later than the file', () => {
    const streams = [stream(0, 'video', { startSeconds: 1.4 }), stream(1, 'audio', { startSeconds: 6.4 })];
    expect(check({ tracks: late(65.5), streams, startSeconds: 1.4 })).toEqual([]);
    expect(ruleCodesOf(check({ tracks: late(65.6), streams, startSeconds: 1.4 }))).toEqual(['CAPT-OUT-OF-RANGE']);
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
