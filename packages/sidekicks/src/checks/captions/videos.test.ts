import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { withBytes } from '@assay/testing/media/examine.ts';
import { describe, expect, test } from 'vitest';
import { readEmbeddedCaptions } from '#evidence/media/captions/embedded-captions.ts';
import { readProbe } from '#evidence/media/probe/probe.ts';
import { runSidekicks } from '#run/run.ts';
import { checkCaptions } from './check-captions.ts';
import type { RuleCode } from './rules.ts';
import { captionVideos as videos } from './samples/caption-videos.ts';
import { type Caption, textOfWords } from './samples/make-cues.ts';
import { sidekick } from './sidekick.ts';

const hello: Caption = [0.5, 1.5, 'Hello there'];
const bye: Caption = [2, 3.5, 'Good bye', 'and thanks'];
const rowsForTextFormats = (
  label: string,
  cues: Caption[],
  expected: RuleCode[],
  language: string | null = 'eng',
): VideoRow[] =>
  (
    [
      ['a.mp4', 'mov_text'],
      ['a.mov', 'mov_text'],
      ['a.mkv', 'srt'],
      ['a.mkv', 'webvtt'],
      ['a.mkv', 'ass'],
      ['a.webm', 'webvtt'],
    ] as const
  ).map(([name, codec]) => [label, name, codec, () => videos.withText(name, codec, [cues], language), expected]);

type VideoRow = [label: string, name: string, codec: string, make: () => Promise<Buffer>, expected: RuleCode[]];

const rows: VideoRow[] = [
  ...rowsForTextFormats('good captions', [hello, bye], []),
  ...rowsForTextFormats('no language', [hello], ['CAPT-LANGUAGE'], null),
  [
    'three lines, too fast',
    'a.mp4',
    'mov_text',
    () => videos.withText('a.mp4', 'mov_text', [[[0, 2, textOfWords(3), textOfWords(3), textOfWords(3)]]]),
    ['CAPT-TOO-FAST', 'CAPT-LINES'],
  ],
  [
    'captions of a longer version',
    'a.webm',
    'webvtt',
    () => videos.withText('a.webm', 'webvtt', [[hello, [6, 8, 'Too late']]]),
    ['CAPT-OUT-OF-RANGE'],
  ],
  [
    'overlapping captions',
    'a.mkv',
    'srt',
    () => videos.withText('a.mkv', 'srt', [[hello, [1, 2, 'Now']]]),
    ['CAPT-OVERLAP'],
  ],
  ['no duration', 'a.mkv', 'srt', () => videos.withText('a.mkv', 'srt', [[hello, [2, 2, 'Gone']]]), ['CAPT-DURATION']],
  ['TTML', 'a.mp4', 'ttml', () => videos.withText('a.mp4', 'ttml', [[hello]]), ['CAPT-UNREADABLE']],
  ['bitmaps', 'a.ts', 'dvbsub', () => videos.withBitmaps('a.ts', 'dvbsub'), ['CAPT-LANGUAGE', 'CAPT-UNREADABLE']],
  ['CEA-608', 'a.ts', 'mpeg2video', () => videos.withClosedCaptions('a.ts', 'mpeg2video', 'HI'), ['CAPT-UNREADABLE']],
  ['CEA-608', 'a.mp4', 'h264', () => videos.withClosedCaptions('a.mp4', 'h264', 'HI'), ['CAPT-UNREADABLE']],
];

async function examine(name: string, bytes: Buffer) {
  return withBytes(bytes, async (source) => {
    const probe = await readProbe(source);
    const embeddedCaptions = await readEmbeddedCaptions(source, probe);
    const evidence = { cueFile: null, embeddedCaptions, probe, audio: null };
    return checkCaptions(evidence, declarationFor(name));
  });
}

describe('a video of a minute of audio, examined by the whole check', () => {
  const toneOfOneMinute: Caption[] = Array.from({ length: 6 }, (_, i) => [i * 10, i * 10 + 10, `Words ${i}`]);
  const english = { captions: toneOfOneMinute.slice(0, 1), args: ['-metadata:s:s:0', 'language=eng'] };
  const french = { captions: toneOfOneMinute, args: ['-metadata:s:s:1', 'language=fre'] };

  async function run(made: Promise<Buffer>) {
    const declared = declarationFor('minute.mkv', 'general');
    const bytes = await made;
    const { checks, findings } = await withBytes(bytes, (source) => runSidekicks([sidekick], source, declared));
    return { check: checks[0], findings: findings.map(({ ruleCode, subject }) => `${ruleCode} ${subject}`) };
  }

  test('has a gap in English beside complete French captions, and states how many captions each track has', async () => {
    const { check, findings } = await run(videos.ofOneMinute([english, french]));
    expect(findings).toEqual(['CAPT-GAP sound without captions: track 2 (eng)']);
    const part = (label: string, quantity: number) => ({ kind: 'caption_track', label, quantity, unit: 'captions' });
    expect(check).toMatchObject({ outcome: 'ran', coverage: { notExamined: [] } });
    expect(check?.coverage.examined).toEqual([part('captions, track 2 (eng)', 1), part('captions, track 3 (fre)', 6)]);
  });

  test('has a gap although forced subtitles fill it', async () => {
    const forced = { ...french, args: [...french.args, '-disposition:s:1', 'forced'] };
    const { findings } = await run(videos.ofOneMinute([english, forced]));
    expect(findings).toEqual(['CAPT-GAP sound without captions: track 2 (eng)']);
  });

  test('was examined as a whole if it has no captions at all', async () => {
    const { check, findings } = await run(videos.ofOneMinute([]));
    expect(findings).toEqual(['CAPT-MISSING no captions']);
    expect(check).toMatchObject({ outcome: 'ran', coverage: { notExamined: [] } });
  });
});

describe('captions embedded in a video', () => {
  test.each(rows)('produce exactly the expected findings for “%s” (%s, %s)', async (_, name, __, make, expected) => {
    const found = await examine(name, await make());
    expect(found.map(({ ruleCode }) => ruleCode)).toEqual(expected);
  });
});
