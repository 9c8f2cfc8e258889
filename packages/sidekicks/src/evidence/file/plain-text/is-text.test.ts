import type { RandomAccess } from '@assay/jail/source/random-access.ts';
import { describe, expect, test } from 'vitest';
import { isOlderText, isText, sampleWindows } from './is-text.ts';

const windowBytes = 64 * 1024;
const MiB = 1024 * 1024;

const accessTo = (bytes: Buffer): RandomAccess => ({
  sizeBytes: bytes.length,
  read: async (target, offset) => bytes.copy(target, 0, offset),
});
const isTextBytes = (bytes: Buffer) => isText(accessTo(bytes));

const utf16 = (text: string, isBigEndian: boolean) => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return isBigEndian ? bytes.swap16() : bytes;
};

describe('isText with UTF-8', () => {
  test.each([
    ['two bytes', 'é'],
    ['three bytes', '東'],
    ['four bytes', '🎬'],
  ])('accepts characters of %s across window boundaries, at every offset', async (_, character) => {
    for (let lead = 0; lead < Buffer.byteLength(character); lead++) {
      const text = 'x'.repeat(lead) + character.repeat((2 * MiB) / Buffer.byteLength(character));
      expect(await isTextBytes(Buffer.from(text))).toBe(true);
      expect(await isTextBytes(Buffer.from(text.slice(0, windowBytes)))).toBe(true);
    }
  });

  test.each([
    ['accepts an empty file', Buffer.alloc(0), true],
    ['accepts a file with only a byte order mark', Buffer.from('\ufeff'), true],
    ['rejects a NUL in the middle', Buffer.from('before\0after'), false],
    ['rejects a NUL as the last byte of 2 MiB', Buffer.concat([Buffer.alloc(2 * MiB, 0x78), Buffer.alloc(1)]), false],
    ['rejects a truncated character at the end', Buffer.from('é').subarray(0, 1), false],
    ['rejects a stray continuation byte at the start', Buffer.from([0x80, 0x78]), false],
    ['rejects a different encoding', Buffer.from('caf\xe9 ', 'latin1'), false],
  ])('%s', async (_, bytes, expected) => {
    expect(await isTextBytes(bytes)).toBe(expected);
  });

  test('checks every byte of a file of up to 1 MiB', async () => {
    for (const at of [0, windowBytes - 1, windowBytes, 500_001, MiB - 1]) {
      const bytes = Buffer.alloc(MiB, 0x78);
      bytes[at] = 0;
      expect(await isTextBytes(bytes), `a NUL at ${at}`).toBe(false);
    }
  });

  test('checks 16 windows of a larger file, from the first byte to the last', async () => {
    const bytes = Buffer.alloc(10 * MiB, 0x78);
    const reads: [number, number][] = [];
    const read = async (target: Uint8Array, offset: number) => {
      reads.push([offset, target.length]);
      return bytes.copy(target, 0, offset);
    };
    expect(await isText({ sizeBytes: bytes.length, read })).toBe(true);
    expect(reads).toHaveLength(16);
    expect(reads[0]?.[0]).toBe(0);
    expect(reads.at(-1)).toEqual([bytes.length - windowBytes, windowBytes]);
  });
});

describe.each([
  ['UTF-16, little-endian', false],
  ['UTF-16, big-endian', true],
])('isText with %s', (_, isBigEndian) => {
  test('accepts surrogate pairs across window boundaries', async () => {
    for (const lead of ['', 'x']) expect(await isTextBytes(utf16(lead + '🎬'.repeat(MiB / 2), isBigEndian))).toBe(true);
  });

  test('rejects text with an unpaired surrogate at the end, an odd number of bytes, or a NUL', async () => {
    expect(await isTextBytes(utf16('x🎬', isBigEndian).subarray(0, -2))).toBe(false);
    expect(await isTextBytes(utf16('xy', isBigEndian).subarray(0, -1))).toBe(false);
    expect(await isTextBytes(utf16('x\0y', isBigEndian))).toBe(false);
  });

  test('rejects a file with an odd number of bytes, however long the text is', async () => {
    expect(await isTextBytes(Buffer.concat([utf16('東'.repeat(MiB), isBigEndian), Buffer.from([0x78])]))).toBe(false);
  });
});

describe('isOlderText', () => {
  test.each([
    ['accepts Windows-1252', Buffer.from('Gr\xfc\xdfe aus K\xf6ln \x96 caf\xe9', 'latin1'), true],
    ['accepts Shift JIS', Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea]), true],
    ['accepts 2 MiB of it', Buffer.from('Gr\xfc\xdfe\n'.repeat(MiB / 3), 'latin1'), true],
    ['rejects a control character', Buffer.from('caf\xe9\x01', 'latin1'), false],
    ['rejects a control character after 2 MiB', Buffer.from(`${'\xfc'.repeat(2 * MiB)}\x01`, 'latin1'), false],
    ['rejects UTF-8 with a damaged character', Buffer.concat([Buffer.from('Grüße'), Buffer.from([0xff])]), false],
  ])('%s', async (_, bytes, expected) => {
    expect(await isOlderText(sampleWindows(accessTo(bytes)))).toBe(expected);
  });
});
