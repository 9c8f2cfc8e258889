import { describe, expect, test } from 'vitest';
import { isText } from './is-text.ts';

const windowBytes = 64 * 1024;
const MiB = 1024 * 1024;

function verdict(bytes: Buffer): Promise<boolean> {
  return isText({ sizeBytes: bytes.length, read: async (target, offset) => bytes.copy(target, 0, offset) });
}

const utf16 = (text: string, isBig: boolean) => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
};

describe('UTF-8', () => {
  test.each([
    ['two bytes', 'é'],
    ['three bytes', '東'],
    ['four bytes', '🎬'],
  ])('characters of %s may lie across the borders of windows, at every offset', async (_, character) => {
    for (let lead = 0; lead < Buffer.byteLength(character); lead++) {
      const text = 'x'.repeat(lead) + character.repeat((2 * MiB) / Buffer.byteLength(character));
      expect(await verdict(Buffer.from(text))).toBe(true);
      expect(await verdict(Buffer.from(text.slice(0, windowBytes)))).toBe(true);
    }
  });

  test.each([
    ['empty', Buffer.alloc(0), true],
    ['a mark alone', Buffer.from('\ufeff'), true],
    ['a NUL in the middle', Buffer.from('before\0after'), false],
    ['a NUL as the last byte of 2 MiB', Buffer.concat([Buffer.alloc(2 * MiB, 0x78), Buffer.alloc(1)]), false],
    ['a character cut at the end', Buffer.from('é').subarray(0, 1), false],
    ['a stray continuation at the beginning', Buffer.from([0x80, 0x78]), false],
    ['another encoding', Buffer.from('caf\xe9 ', 'latin1'), false],
  ])('%s', async (_, bytes, expected) => {
    expect(await verdict(bytes)).toBe(expected);
  });

  test('every byte counts up to 1 MiB', async () => {
    for (const at of [0, windowBytes - 1, windowBytes, 500_001, MiB - 1]) {
      const bytes = Buffer.alloc(MiB, 0x78);
      bytes[at] = 0;
      expect(await verdict(bytes), `a NUL at ${at}`).toBe(false);
    }
  });

  test('of more, 16 windows from the first byte to the last are looked at', async () => {
    const bytes = Buffer.alloc(10 * MiB, 0x78);
    const seen: [number, number][] = [];
    const read = async (target: Uint8Array, offset: number) => {
      seen.push([offset, target.length]);
      return bytes.copy(target, 0, offset);
    };
    expect(await isText({ sizeBytes: bytes.length, read })).toBe(true);
    expect(seen).toHaveLength(16);
    expect(seen[0]?.[0]).toBe(0);
    expect(seen.at(-1)).toEqual([bytes.length - windowBytes, windowBytes]);
  });
});

describe.each([
  ['UTF-16, low byte first', false],
  ['UTF-16, high byte first', true],
])('%s', (_, isBig) => {
  test('pairs may lie across the borders of windows', async () => {
    for (const lead of ['', 'x']) expect(await verdict(utf16(lead + '🎬'.repeat(MiB / 2), isBig))).toBe(true);
  });

  test('half a pair at the end, an odd byte or a NUL is no text', async () => {
    expect(await verdict(utf16('x🎬', isBig).subarray(0, -2))).toBe(false);
    expect(await verdict(utf16('xy', isBig).subarray(0, -1))).toBe(false);
    expect(await verdict(utf16('x\0y', isBig))).toBe(false);
  });

  test('a text whose size is odd is no text, however long', async () => {
    expect(await verdict(Buffer.concat([utf16('東'.repeat(MiB), isBig), Buffer.from([0x78])]))).toBe(false);
  });
});
