import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { describe, expect, test } from 'vitest';
import type { Cue } from '#evidence/media/captions/parse-cues.ts';
import { builtInProfile } from '#profiles/built-in-profiles.ts';
import { severityOf } from '#sidekick/severity.ts';
import type { Rule } from '#sidekick/sidekick.ts';
import { checkVideo, stream, track } from './samples/check-video.ts';
import { sidekick } from './sidekick.ts';

type ProfileName = 'general' | 'ebu-r128' | 'atsc-a85';

/** Returns the rule codes and severities of the findings for a five-minute file with these captions and this audio. */
function codesWithSeverity(
  cues: Cue[] | null,
  profile: ProfileName = 'general',
  kind = 'video',
  audioSeconds = 300,
): string[] {
  const active = [{ startSeconds: 0, endSeconds: audioSeconds }];
  const streams = [
    ...(kind === 'video' ? [stream(0, 'video', { durationSeconds: 300 })] : []),
    stream(1, 'audio', { durationSeconds: 300 }),
  ];
  const declared = declarationFor(kind === 'video' ? 'a.mp4' : 'a.mp3', profile);
  return checkVideo({ tracks: cues ? [track(cues)] : [], active, streams, durationSeconds: 300 }, declared).map(
    (finding) => {
      const severity = severityOf(finding, sidekick.rules[finding.ruleCode] as Rule, builtInProfile(profile));
      return `${finding.ruleCode} ${severity}`;
    },
  );
}
const cue = (from: number, to: number, words = 3): Cue => ({
  startMs: from * 1000,
  endMs: to * 1000,
  // Contains the start time, because a line repeated from the previous caption is not counted again.
  lines: [`word${from} `.repeat(words).trim()],
  line: 1,
});

describe('the severity of missing captions', () => {
  test.each<[ProfileName, string]>([
    ['general', 'MINOR'],
    ['ebu-r128', 'MAJOR'],
    ['atsc-a85', 'MAJOR'],
  ])('with the profile %s is %s in a video with audio', (profile, severity) => {
    expect(codesWithSeverity(null, profile)).toEqual([`CAPT-MISSING ${severity}`]);
  });

  test('is MINOR even for broadcast in a clip with less than 30 s of audio', () => {
    expect(codesWithSeverity(null, 'ebu-r128', 'video', 29.9)).toEqual(['CAPT-MISSING MINOR']);
    expect(codesWithSeverity(null, 'ebu-r128', 'video', 30)).toEqual(['CAPT-MISSING MAJOR']);
  });

  test('is INFO in an audio file, because its transcript is always a separate file', () => {
    expect(codesWithSeverity(null, 'ebu-r128', 'audio')).toEqual(['CAPT-NO-TRANSCRIPT INFO']);
  });
});

test('a gap in the captions is INFO if it is shorter than a minute, and MINOR otherwise', () => {
  expect(codesWithSeverity([cue(0, 100), cue(159, 300)])).toEqual(['CAPT-GAP INFO']);
  expect(codesWithSeverity([cue(0, 100), cue(160, 300)])).toEqual(['CAPT-GAP MINOR']);
});

describe('reading speed', () => {
  /** Checks consecutive captions of two seconds, each with the given number of words. */
  const checkCaptionsWithWords = (...words: number[]) =>
    codesWithSeverity([...words.map((n, i) => cue(2 * i, 2 * i + 2, n)), cue(2 * words.length, 300)]);

  test('above the recommendation is INFO', () => {
    expect(checkCaptionsWithWords(6)).toEqual([]);
    expect(codesWithSeverity([cue(0, 10, 32), cue(10, 300)])).toEqual(['CAPT-FAST INFO']);
  });
  test('that is far too high in only one or two captions in a row is MINOR', () => {
    expect(checkCaptionsWithWords(20)).toEqual(['CAPT-TOO-FAST MINOR']);
    expect(checkCaptionsWithWords(20, 20)).toEqual(['CAPT-TOO-FAST MINOR']);
  });
  test('at least 50 words per minute above the limit in three captions in a row is MAJOR', () => {
    expect(checkCaptionsWithWords(8, 8, 8)).toEqual(['CAPT-TOO-FAST MINOR']);
    expect(checkCaptionsWithWords(9, 9, 9)).toEqual(['CAPT-TOO-FAST MAJOR']);
  });
});
