import { latin, MiB, overwrite, u8 } from '../formats/bytes.ts';
import type { Recipe } from '../formats/recipe.ts';
import { type Row, recipesOf, refusedOrNotOutcomes, refusedOutcomes } from '../formats/rows.ts';
import { randomOf } from '../formats/seeded-random.ts';

const noise = (bytes: number) => {
  const random = randomOf(5);
  return Buffer.from(Array.from({ length: bytes }, () => random.between(0, 255)));
};
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const lines = (bytes: number) => Buffer.alloc(bytes, 'A line of text.\n');
const repeatedText = (bytes: number, unit: Uint8Array | string) => Buffer.alloc(bytes, unit as string);

const rows: Row[] = [
  ['one-line-of-12-MiB', () => repeatedText(12 * MiB, 'x')],
  ['one-line-of-90-MiB', () => repeatedText(90 * MiB, 'x'), { isSlow: true }],
  ['12-MiB-of-spaces', () => repeatedText(12 * MiB, ' ')],
  ['12-MiB-of-line-ends', () => repeatedText(12 * MiB, '\n')],
  ['12-MiB-of-carriage-returns', () => repeatedText(12 * MiB, '\r')],
  ['12-MiB-of-three-byte-letters', () => repeatedText(12 * MiB, '\u2603')],
  ['12-MiB-of-four-byte-letters', () => repeatedText(12 * MiB, '\u{1f4a3}')],
  ['letters-cut-by-each-window', () => Buffer.concat([latin('x'), repeatedText(3 * MiB, '\u{1f4a3}')])],
  ['a-letter-cut-at-the-end', () => repeatedText(100_001, '\u2603'), refusedOutcomes],
  ['every-control-character', () => u8(...Array.from({ length: 31 }, (_, i) => i + 1), 0x7f)],
  ['controls-of-a-terminal', () => repeatedText(MiB, '\x1b[2J\x1b]0;x\x07\x9b')],
  ['controls-beyond-ascii', () => repeatedText(MiB, '\u0085\u009b\u2028\u2029\u202e\ufeff')],
  ['characters-that-are-none', () => repeatedText(1_000_000, '\ufffe\uffff\u{10ffff}')],
  ['1-MiB-of-byte-order-marks', () => repeatedText(MiB - 1, '\ufeff')],
  ['marks-upon-one-letter', () => Buffer.from(`a${'\u0301'.repeat(500_000)}`)],
  ['a-nul-alone', () => u8(0), refusedOutcomes],
  ['a-nul-at-the-end', () => Buffer.concat([lines(1000), u8(0)]), refusedOutcomes],
  ['a-nul-between-the-samples', () => overwrite(lines(4 * MiB), 70_000, u8(0)), refusedOrNotOutcomes],
  ['nul-between-all-letters', () => repeatedText(MiB, 'a\0'), refusedOutcomes],
  ['nothing-but-nul', () => Buffer.alloc(MiB), refusedOutcomes],
  ['noise', () => noise(200_000), refusedOutcomes],
  ['noise-after-a-text', () => Buffer.concat([lines(300_000), noise(1000)]), refusedOutcomes],
  ['noise-between-the-samples', () => overwrite(lines(4 * MiB), 70_000, noise(1000)), refusedOrNotOutcomes],
  ['windows-letters', () => latin('gr\xfc\xdfe '.repeat(10_000)), refusedOutcomes],
  ['utf-8-that-is-too-long', () => repeatedText(9000, u8(0xc0, 0x80, 0xe0, 0x80, 0xaf)), refusedOutcomes],
  ['utf-8-beyond-unicode', () => repeatedText(9000, u8(0xf4, 0x90, 0x80, 0x80)), refusedOutcomes],
  ['utf-8-of-surrogates', () => repeatedText(9000, u8(0xed, 0xa0, 0x80, 0xed, 0xb0, 0x80)), refusedOutcomes],
  ['utf-8-of-bytes-that-only-follow', () => repeatedText(MiB, u8(0x80)), refusedOutcomes],
  ['utf-8-then-utf-16', () => Buffer.concat([lines(1000), utf16('more')]), refusedOutcomes],
  ['utf-16-little', () => utf16('A line of text.\n'.repeat(100_000))],
  ['utf-16-big', () => utf16('A line of text.\n'.repeat(100_000)).swap16()],
  ['utf-16-of-odd-length', () => utf16('text').subarray(0, -1), refusedOutcomes],
  ['utf-16-with-a-nul', () => utf16('te\0xt'), refusedOutcomes],
  ['utf-16-mark-alone', () => u8(0xff, 0xfe)],
  ['utf-16-marks-alone', () => repeatedText(100_000, u8(0xff, 0xfe))],
  ['utf-16-mark-of-the-other-order', () => Buffer.concat([u8(0xfe, 0xff), Buffer.from('text', 'utf16le')])],
  [
    'utf-16-with-a-first-half-alone',
    () => Buffer.concat([utf16('a'), u8(0x00, 0xd8), Buffer.from('b', 'utf16le')]),
    refusedOutcomes,
  ],
  ['utf-16-with-a-second-half-alone', () => Buffer.concat([utf16('a'), u8(0x00, 0xdc)]), refusedOutcomes],
  ['utf-16-of-first-halves', () => Buffer.concat([u8(0xff, 0xfe), repeatedText(MiB, u8(0x00, 0xd8))]), refusedOutcomes],
  [
    'utf-16-of-pairs-cut-by-each-window',
    () => Buffer.concat([utf16('a'), repeatedText(3 * MiB, u8(0x3d, 0xd8, 0xa3, 0xdc))]),
  ],
  ['utf-32', () => Buffer.concat([u8(0xff, 0xfe, 0, 0), Buffer.alloc(4000, u8(0x41, 0, 0, 0))]), refusedOutcomes],
  ['utf-7', () => latin('+/v8-+ADw-script+AD4-'.repeat(5000))],
  ['shift-jis', () => repeatedText(9000, u8(0x83, 0x65, 0x83, 0x4c)), refusedOutcomes],
  ['escapes-of-iso-2022', () => repeatedText(9000, '\x1b$B%F%-\x1b(B')],
  [
    'bombs-of-entities',
    () => latin(`<!DOCTYPE a [<!ENTITY a "${'&b;'.repeat(10_000)}">]><a>&a;</a>`),
    refusedOrNotOutcomes,
  ],
  [
    'a-page-with-a-script',
    ({ listener }) => latin(`<html><script src="http://${listener}/"></script></html>`),
    refusedOrNotOutcomes,
  ],
  ['shell-after-64-KiB-of-spaces', () => latin(`${' '.repeat(65_000)}#!/bin/sh\nrm -rf /\n`)],
  ['a-shell-line-of-spaces', () => latin(`#!${' '.repeat(200_000)}`)],
  ['a-playlist', ({ listener, canary }) => latin(`#EXTM3U\n#EXTINF:1,\nhttp://${listener}/1.ts\n${canary}\n`)],
  ['letters-that-begin-as-a-bitmap', () => latin('BM'.repeat(5000))],
  ['letters-that-begin-as-an-image', () => latin('GIF89a is a format\n'.repeat(500))],
  ['letters-that-begin-as-a-zip', () => latin('PK\x03\x04 is a mark\n'.repeat(500))],
  ['letters-that-begin-as-a-tag', () => latin('ID3\x04\x01\x01\x01\x01\x01\x01'.repeat(500))],
];

export const textFiles: Recipe[] = recipesOf('text', 'a.txt', rows);
