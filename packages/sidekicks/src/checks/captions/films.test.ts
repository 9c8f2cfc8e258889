import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mediaTypeOfFilename } from '@assay/contract/media-types.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { readEmbeddedCaptions } from '../../evidence/captions/embedded-captions.ts';
import { withNamelessFile } from '../../evidence/nameless-file.ts';
import { readProbe } from '../../evidence/probe.ts';
import { profiles } from '../../profile.ts';
import { checkCaptions } from './check-captions.ts';
import type { RuleCode } from './rules.ts';
import { openFilmMaker } from './samples/caption-films.ts';
import { type Line, words } from './samples/make-cues.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-caption-films-'));
afterAll(() => rmSync(folder, { recursive: true }));
const films = openFilmMaker(folder);

const hello: Line = [0.5, 1.5, 'Hello there'];
const bye: Line = [2, 3.5, 'Good bye', 'and thanks'];
const inEach = (label: string, cues: Line[], expected: RuleCode[], language: string | null = 'eng'): Row[] =>
  (
    [
      ['a.mp4', 'mov_text'],
      ['a.mov', 'mov_text'],
      ['a.mkv', 'srt'],
      ['a.mkv', 'webvtt'],
      ['a.mkv', 'ass'],
      ['a.webm', 'webvtt'],
    ] as const
  ).map(([name, codec]) => [label, name, codec, () => films.withText(name, codec, [cues], language), expected]);

type Row = [label: string, name: string, codec: string, make: () => Buffer, expected: RuleCode[]];

const rows: Row[] = [
  ...inEach('good captions', [hello, bye], []),
  ...inEach('three lines, too fast', [[0, 2, words(3), words(3), words(3)]], ['CAPT-TOO-FAST', 'CAPT-LINES']),
  ...inEach('no language', [hello], ['CAPT-LANGUAGE'], null),
  ...inEach('captions of a longer cut', [hello, [6, 8, 'Too late']], ['CAPT-OUT-OF-RANGE']),
  ['two at once', 'a.mkv', 'srt', () => films.withText('a.mkv', 'srt', [[hello, [1, 2, 'Now']]]), ['CAPT-OVERLAP']],
  ['no time', 'a.mkv', 'srt', () => films.withText('a.mkv', 'srt', [[hello, [2, 2, 'Gone']]]), ['CAPT-DURATION']],
  ['TTML', 'a.mp4', 'ttml', () => films.withText('a.mp4', 'ttml', [[hello]]), ['CAPT-UNREADABLE']],
  ['pictures', 'a.ts', 'dvbsub', () => films.withBitmaps('a.ts', 'dvbsub'), ['CAPT-LANGUAGE', 'CAPT-UNREADABLE']],
  ['CEA-608', 'a.ts', 'mpeg2video', () => films.withClosedCaptions('a.ts', 'mpeg2video', 'HI'), ['CAPT-UNREADABLE']],
  ['CEA-608', 'a.mp4', 'h264', () => films.withClosedCaptions('a.mp4', 'h264', 'HI'), ['CAPT-UNREADABLE']],
];

async function examine(name: string, bytes: Buffer) {
  const media = mediaTypeOfFilename(name);
  if (!media) throw new Error(`${name} may not be uploaded`);
  const read = async (target: Uint8Array, offset: number) => bytes.copy(target, 0, offset);
  const signal = new AbortController().signal;
  return withNamelessFile(bytes, async (fd) => {
    const source = { bytes: { sizeBytes: bytes.length, read }, fd, signal, cage: 'bubblewrap' as const };
    const probe = await readProbe(source);
    const embeddedCaptions = await readEmbeddedCaptions(source, probe);
    const evidence = { cueFile: null, embeddedCaptions, probe, sound: null };
    return checkCaptions(evidence, { media, filename: name, profile: profiles['ebu-r128'] });
  });
}

describe('films give just the expected findings', () => {
  test.each(rows)('%s (%s, %s)', async (_, name, __, make, expected) => {
    const found = await examine(name, make());
    expect(found.map(({ ruleCode }) => ruleCode)).toEqual(expected);
  });
});
