import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { describe, expect, test } from 'vitest';
import { parseCues } from '#evidence/media/captions/parse-cues.ts';
import { extendProfile } from '#sidekick/profile.ts';
import { severityOf } from '#sidekick/severity.ts';
import type { Finding, Rule } from '#sidekick/sidekick.ts';
import { checkCaptions } from './check-captions.ts';
import { rules } from './rules.ts';
import { type Caption, srtOf, textOfWords } from './samples/make-cues.ts';
import { readingSpeedsOf } from './speed.ts';

const declared = declarationFor('a.srt', 'general');

function check(captions: Caption[], profile = declared.profile): Finding[] {
  const { cues } = parseCues(srtOf(...captions), 'srt');
  const cueFile = { format: 'srt' as const, language: null, cues, flaws: [] };
  return checkCaptions({ cueFile, embeddedCaptions: null, probe: null, audio: null }, { ...declared, profile });
}

function severityOfOnly(captions: Caption[], profile = declared.profile) {
  const [found, ...others] = check(captions, profile);
  expect(others).toEqual([]);
  return found && severityOf(found, rules['CAPT-TOO-FAST'] as Rule, profile);
}

/** Captions of two seconds, one after the other, with these numbers of words. */
const inARow = (...words: number[]): Caption[] =>
  words.map((n, i) => [2 * i, 2 * i + 2, `line${i} ${textOfWords(n - 1)}`]);

describe('the finding for a caption that is too fast', () => {
  test('names that caption and its own speed, not the slow caption before it', () => {
    const found = check([
      [0, 2, 'Hello world'],
      [2.1, 2.3, `Fifteen ${textOfWords(14)}`],
    ]);
    expect(found).toMatchObject([
      { ruleCode: 'CAPT-TOO-FAST', measured: 4500, limit: 200, locations: [{ startMs: 2100, endMs: 2300 }] },
    ]);
    expect(found[0]?.subject).toMatch(/^Fifteen word/);
    expect(found[0]?.summary).toBe(
      'The caption at 0:02.10 (line 6) runs at 4,500 words per minute (limit 200): 15 words in 0.2 s. Shorten the text or extend the display time.',
    );
    expect(found[0]?.severityReasoning).toBe('15 words in 0.2 s are 4,500 words per minute; limit 200');
  });

  test('names the fastest of several captions and quotes it', () => {
    const found = check([
      [2.01, 3.5, 'This is the first subtitle.'],
      [5.739, 6.074, 'This is the second.'],
      [6.901, 8, 'And this is the third!'],
    ]);
    expect(found).toMatchObject([{ measured: 716, locations: [{ text: 'This is the second.' }] }]);
    expect(found[0]?.subject).toBe('This is the first subtitle.');
    expect(found[0]?.summary).toContain(
      '3 captions from 0:02.01 to 0:08.00 (lines 2 to 10) run at up to 716 words per minute (limit 200), the fastest at 0:05.74 (line 6): 4 words in 0.335 s.',
    );
  });
});

describe('reading speed is MAJOR', () => {
  test('only if each of three captions in a row reaches 250 words per minute', () => {
    expect(severityOfOnly(inARow(9, 9, 9))).toBe('MAJOR');
    expect(severityOfOnly(inARow(9, 9, 8, 9, 9))).toBe('MINOR');
    expect(severityOfOnly(inARow(8, 40, 8))).toBe('MINOR');
  });

  test('not for single words in a row that reach it only each on its own', () => {
    const words = Array.from({ length: 12 }, (_, i): Caption => [i * 0.27, i * 0.27 + 0.22, `word${i}`]);
    expect(check(words)).toMatchObject([{ ruleCode: 'CAPT-TOO-FAST', measured: 273, severityMax: 'MINOR' }]);
  });

  test('at the distance from the limit that the profile sets, for three captions in a row', () => {
    const grades = [
      { beyond: 0, severity: 'MINOR' as const },
      { beyond: 30, severity: 'MAJOR' as const },
    ];
    const profile = extendProfile(declared.profile, { rules: [{ ruleCode: 'CAPT-TOO-FAST', grades }] });
    expect(severityOfOnly(inARow(8, 8, 8), profile)).toBe('MAJOR');
    expect(severityOfOnly(inARow(8, 8, 7), profile)).toBe('MINOR');
  });
});

describe('a caption that is read at a glance', () => {
  test('is too fast only if it and its neighbours are too fast as a group', () => {
    const [one] = readingSpeedsOf(parseCues(srtOf([0, 0.2, 'No!'], [0.4, 2.2, 'I said no.']), 'srt').cues);
    expect(one).toMatchObject({ words: 1, wordsPerMinute: 300, wordsPerMinuteTogether: 109 });
  });

  test('has up to three words: a longer one is measured alone', () => {
    expect(
      check([
        [0, 0.6, 'One two three'],
        [0.7, 5, 'slow'],
      ]),
    ).toEqual([]);
    expect(
      check([
        [0, 0.6, 'One two three four'],
        [0.7, 5, 'slow'],
      ]),
    ).toMatchObject([{ measured: 400 }]);
  });

  test('does not count lines that are still shown from the caption before', () => {
    const captions: Caption[] = [
      [0, 2, 'One two three four five'],
      [2, 2.01, 'One two three four five'],
      [2.01, 4, 'One two three four five', 'six seven eight'],
    ];
    expect(check(captions)).toEqual([]);
  });

  test('takes bounded time to measure, however many there are at once', () => {
    const cues = Array.from({ length: 20_000 }, (_, i) => ({ startMs: 0, endMs: 1, lines: [`w${i}`], line: 1 }));
    const startedAt = performance.now();
    expect(readingSpeedsOf(cues)).toHaveLength(20_000);
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });
});
