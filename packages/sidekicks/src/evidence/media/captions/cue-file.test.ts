import { fc } from '@assay/testing/run/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { readCueFile } from './cue-file.ts';
import { flawKinds } from './flaws.ts';
import { parseCues } from './parse-cues.ts';

function read(content: string | Buffer) {
  const bytes = Buffer.from(content);
  const copy = async (target: Uint8Array, offset: number) => bytes.copy(target, 0, offset);
  const signal = new AbortController().signal;
  return readCueFile({ bytes: { sizeBytes: bytes.length, read: copy }, fd: -1, signal, jail: 'bubblewrap' });
}

describe('readCueFile with WebVTT', () => {
  test('returns times, line numbers and text without tags and escapes', async () => {
    const text =
      'WEBVTT\r\nLanguage: de-CH\r\n\r\nNOTE a\r\n\r\none\r\n01:02.345 --> 01:00:03.004 line:0\r\n<v Ann>R&amp;D <i>now</i>\r\n&lt;b&gt;\r\n';
    expect(await read(text)).toEqual({
      format: 'vtt',
      language: 'de-CH',
      cues: [{ startMs: 62_345, endMs: 3_603_004, lines: ['R&D now', '<b>'], line: 7 }],
      flaws: [],
    });
  });

  test('returns flaws with their line numbers', async () => {
    const text = 'WEBVTT\n\n00:01.000 --> 00:02,000\nlost\n\nalone\n\n00:03.000-->00:04.000\nkept\n';
    expect((await read(text))?.flaws).toEqual([
      { line: 3, ...flawKinds.badTime },
      { line: 6, ...flawKinds.textWithoutTime },
      { line: 8, ...flawKinds.unusualTime },
    ]);
  });
});

describe('readCueFile with SubRip', () => {
  test('returns times, line numbers and text without tags', async () => {
    const text =
      '1\n00:00:01,500 --> 00:00:02,750\n{\\an8}<font color="red">Salt</font> &amp; I <3\n\n2\n00:01:00,000 --> 100:00:00,001\nb\n';
    expect(await read(text)).toMatchObject({
      format: 'srt',
      language: null,
      cues: [
        { startMs: 1500, endMs: 2750, lines: ['Salt &amp; I <3'], line: 2 },
        { startMs: 60_000, endMs: 360_000_001, lines: ['b'], line: 6 },
      ],
      flaws: [{ line: 6, ...flawKinds.unusualTime }],
    });
  });

  test('assigns a number before a time to the next caption, even if the empty line is missing', async () => {
    const text = '1\n00:00:01,000 --> 00:00:02,000\na\n2\n00:00:03,000 --> 00:00:04,000\nb\n1984\n';
    expect(await read(text)).toMatchObject({
      cues: [{ lines: ['a'] }, { lines: ['b', '1984'] }],
      flaws: [{ line: 5, ...flawKinds.noEmptyLine }],
    });
  });

  test('accepts Windows-1252 and reports it as a flaw', async () => {
    const text = Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nGrüße\n', 'latin1');
    expect(await read(text)).toMatchObject({ cues: [{ lines: ['Grüße'] }], flaws: [flawKinds.notUnicode] });
  });
});

describe('readCueFile with arbitrary content', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'WEBVTT',
      '\n',
      '\n\n',
      '\r\n',
      '\r',
      '-->',
      ' --> ',
      '00:01.000',
      '00:00:01,000',
      '1',
      'NOTE',
      '<',
      '>',
      '&',
    ),
    fc.constantFrom('00:01.000 --> 00:02.000\n', '00:00:01,000 --> 00:00:02,000\n', 'text\n', '\u2028', '\ud800', '\0'),
    fc.string({ maxLength: 5 }),
  );
  const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));

  test('terminates, returns only line numbers that are in the file, and keeps the cues in order', () => {
    fc.assert(
      fc.property(text, fc.constantFrom('vtt' as const, 'srt' as const), (content, format) => {
        const { cues, flaws } = parseCues(content, format);
        const lineCount = content.split(/\r\n|\r|\n/).length;
        for (const { line } of [...cues, ...flaws]) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(lineCount);
        }
        expect(cues.map(({ line }) => line)).toEqual(cues.map(({ line }) => line).toSorted((a, b) => a - b));
      }),
      { numRuns: 2000 },
    );
  });

  test('never throws for arbitrary bytes, and detects WebVTT only by its signature', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom('', 'WEBVTT\n\n', '\xff\xfe'),
        async (bytes, head) => {
          const found = await read(Buffer.concat([Buffer.from(head, 'latin1'), bytes]));
          if (head !== 'WEBVTT\n\n') expect(found?.format).not.toBe('vtt');
        },
      ),
      { numRuns: 500 },
    );
  });
});

test('readCueFile rejects if the signal is aborted', async () => {
  const bytes = { sizeBytes: 6, read: async () => 0 };
  await expect(readCueFile({ bytes, fd: -1, signal: AbortSignal.abort(), jail: 'none' })).rejects.toThrow(/abort/i);
});
