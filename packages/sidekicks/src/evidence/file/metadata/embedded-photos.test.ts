import { inflateRawSync } from 'node:zlib';
import type { Source } from '@assay/jail/source/source.ts';
import { makeArchive } from '@assay/testing/media/make-office.ts';
import { describe, expect, test } from 'vitest';
import { createReading } from '#evidence/bounded.ts';
import { readZipDirectory, readZipEntry, type ZipDirectory } from '../archive/zip-directory.ts';
import { findExifBlocks } from './embedded-photos.ts';
import { findOfficeExifBlocks } from './office-photos.ts';

const marker = Buffer.from([0xff, 0xe1, 0xff, 0xff, ...Buffer.from('Exif\0\0')]);
const tiff = Buffer.from('MM\0*');

function sourceOf(bytes: Buffer): Source {
  const read = async (target: Uint8Array, offset: number) => bytes.copy(target, 0, offset);
  return { bytes: { sizeBytes: bytes.length, read }, fd: -1, signal: new AbortController().signal, jail: 'none' };
}

function segment(content: Buffer): Buffer {
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(2 + content.length, 2);
  return Buffer.concat([head, content]);
}

async function cpuMillis(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe('the search for EXIF blocks', () => {
  test.each([
    ['EXIF markers', marker],
    ['EXIF markers with TIFF headers', Buffer.concat([marker, tiff])],
  ])('needs little CPU time for an Office part that consists only of %s', async (_, unit) => {
    const part = { name: 'word/media/a.jpg', data: Buffer.alloc(4_000_000, unit) };
    const source = sourceOf(Buffer.from(makeArchive([part])));
    const directory = (await readZipDirectory(source.bytes, createReading())) as ZipDirectory;
    const entry = directory.entries[0];
    const packed = entry && (await readZipEntry(source.bytes, entry));
    const inflating = await cpuMillis(async () => {
      for (let i = 0; i < 10; i++) inflateRawSync(packed ?? Buffer.alloc(0));
    });
    expect(await cpuMillis(() => findOfficeExifBlocks(source, directory, createReading()))).toBeLessThan(
      10 * inflating,
    );
  });

  test('finds a block after a marker without a block', async () => {
    const block = segment(Buffer.concat([Buffer.from('Exif\0\0'), tiff, Buffer.alloc(40, 1)]));
    const bytes = Buffer.concat([marker, Buffer.alloc(10), block, Buffer.alloc(100)]);
    expect([...(await findExifBlocks(sourceOf(bytes), createReading())).values()]).toEqual([block]);
  });

  test('returns each block once, and marks the reading if there are more than it may take', async () => {
    const blocks = Array.from({ length: 210 }, (_, i) =>
      segment(Buffer.concat([Buffer.from('Exif\0\0'), tiff, Buffer.alloc(40, i)])),
    );
    const find = async (found: Buffer[]) => {
      const reading = createReading();
      const bytes = Buffer.concat(found.flatMap((block) => [block, block]));
      return { blocks: [...(await findExifBlocks(sourceOf(bytes), reading)).values()], hit: reading.hit };
    };
    expect(await find(blocks.slice(0, 200))).toEqual({ blocks: blocks.slice(0, 200), hit: [] });
    expect(await find(blocks)).toEqual({ blocks: blocks.slice(0, 200), hit: ['photos'] });
  });
});
