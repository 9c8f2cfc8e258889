import { declaredAs } from '@assay/testing/media/declared-as.ts';
import { describe, expect, test } from 'vitest';
import type { Evidence } from '#evidence/evidence.ts';
import type { Cue } from '#evidence/media/captions/parse-cues.ts';
import { builtInProfile } from '#profiles/built-in-profiles.ts';
import { severityOf } from '#sidekick/severity.ts';
import type { Rule } from '#sidekick/sidekick.ts';
import { sidekick } from './sidekick.ts';

type Name = 'general' | 'ebu-r128' | 'atsc-a85';

/** A file of five minutes with this much audio and these captions. */
function verdicts(cues: Cue[] | null, profile: Name = 'general', kind = 'video', audioSeconds = 300): string[] {
  const streams = ['video', 'audio'].filter((one) => kind === 'video' || one === 'audio');
  const track = { streamIndex: 2, codec: 'mov_text', language: 'eng', kind: 'text', cues };
  const evidence = {
    cueFile: null,
    embeddedCaptions: cues && { tracks: [track] },
    probe: {
      ...{ reader: 'ffprobe 5.1.9', durationSeconds: 300, tags: [], chapters: [] },
      streams: streams.map((one, index) => ({
        index,
        kind: one,
        durationSeconds: 300,
        averageFrameRate: 25,
        tags: [],
      })),
    },
    audio: { active: [{ startSeconds: 0, endSeconds: audioSeconds }] },
  } as unknown as Evidence;
  return sidekick.check(evidence, declaredAs(kind === 'video' ? 'a.mp4' : 'a.mp3', profile)).map((finding) => {
    const severity = severityOf(finding, sidekick.rules[finding.ruleCode] as Rule, builtInProfile(profile));
    return `${finding.ruleCode} ${severity}`;
  });
}
const cue = (from: number, to: number, words = 3): Cue => ({
  startMs: from * 1000,
  endMs: to * 1000,
  // With the time, because a line that is repeated is not read again.
  lines: [`word${from} `.repeat(words).trim()],
  line: 1,
});

describe('no captions at all', () => {
  test.each<[Name, string]>([
    ['general', 'MINOR'],
    ['ebu-r128', 'MAJOR'],
    ['atsc-a85', 'MAJOR'],
  ])('of a video with audio, with %s: %s', (profile, severity) => {
    expect(verdicts(null, profile)).toEqual([`CAPT-MISSING ${severity}`]);
  });

  test('of a clip with less than 30 s of audio is MINOR for broadcast too', () => {
    expect(verdicts(null, 'ebu-r128', 'video', 29.9)).toEqual(['CAPT-MISSING MINOR']);
    expect(verdicts(null, 'ebu-r128', 'video', 30)).toEqual(['CAPT-MISSING MAJOR']);
  });

  test('of an audio file is INFO: a transcript is never in the file', () => {
    expect(verdicts(null, 'ebu-r128', 'audio')).toEqual(['CAPT-NO-TRANSCRIPT INFO']);
  });
});

test('a gap is INFO up to a minute, such as a title sequence, and MINOR beyond', () => {
  expect(verdicts([cue(0, 100), cue(159, 300)])).toEqual(['CAPT-GAP INFO']);
  expect(verdicts([cue(0, 100), cue(160, 300)])).toEqual(['CAPT-GAP MINOR']);
});

describe('reading speed', () => {
  /** Captions of two seconds, with this many words each. */
  const row = (...words: number[]) =>
    verdicts([...words.map((n, i) => cue(2 * i, 2 * i + 2, n)), cue(2 * words.length, 300)]);

  test('that is above the recommendation is INFO', () => {
    expect(row(6)).toEqual([]);
    expect(verdicts([cue(0, 10, 32), cue(10, 300)])).toEqual(['CAPT-FAST INFO']);
  });
  test('of one or two captions is never worse than no captions at all', () => {
    expect(row(20)).toEqual(['CAPT-TOO-FAST MINOR']);
    expect(row(20, 20)).toEqual(['CAPT-TOO-FAST MINOR']);
  });
  test('of three captions in a row is MAJOR from 50 words per minute beyond the limit', () => {
    expect(row(8, 8, 8)).toEqual(['CAPT-TOO-FAST MINOR']);
    expect(row(9, 9, 9)).toEqual(['CAPT-TOO-FAST MAJOR']);
  });
});
