import { deflateSync } from 'node:zlib';
import { withAnonymousFile } from '@assay/jail/anonymous-file.ts';
import { makeArchive, makeOfficeFile } from '@assay/testing/media/make-office.ts';
import { makePdf, sample } from '@assay/testing/media/samples.ts';
import { describe, expect, test } from 'vitest';
import { withPosition } from '#checks/metadata-privacy/samples/make-exif.ts';
import { createReading, defaultLimits, type Limits } from '#evidence/bounded.ts';
import { makePng, pngChunk } from '../samples/make-image.ts';
import { readMetadata } from './metadata.ts';
import { readMetadataReport } from './metadata-report.ts';

function sourceOf(bytes: Uint8Array, fd: number) {
  const read = async (target: Uint8Array, offset: number) => Buffer.from(bytes).copy(target, 0, offset);
  const signal = new AbortController().signal;
  return { bytes: { sizeBytes: bytes.length, read }, fd, signal, jail: 'bubblewrap' as const };
}

const metadata = (bytes: Uint8Array, limits: Partial<Limits> = {}) =>
  withAnonymousFile(bytes, (fd) => readMetadata(sourceOf(bytes, fd), { ...defaultLimits, ...limits }));
const photo = withPosition(sample('still.jpg'));

describe('readMetadata', () => {
  test('returns every tag with its family and group, but no tags about the file on disk', async () => {
    const read = await metadata(photo);
    expect(read?.tags).toContainEqual({
      family: 'EXIF',
      group: 'GPS',
      isEmbedded: false,
      name: 'GPSLatitudeRef',
      value: 'N',
    });
    expect(read?.reader).toMatch(/^ExifTool \d/);
    expect(read?.tags.filter(({ name }) => /^(File(Name|Size|ModifyDate)|Directory|SourceFile)$/.test(name))).toEqual(
      [],
    );
  });

  test('runs no tool for text, raw AAC, programs and Office files', async () => {
    const none = [Buffer.from('text'), Buffer.from('WEBVTT\n'), sample('tone.aac')];
    for (const bytes of none) expect(await readMetadata(sourceOf(bytes, -1))).toBeNull();
    const unsupported = [
      makeArchive([{ name: 'a', data: 'x' }]),
      Buffer.from('\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0', 'latin1'),
    ];
    for (const bytes of unsupported) {
      expect(await readMetadata(sourceOf(bytes, -1))).toMatchObject({ complaints: [{ reason: 'unsupported' }] });
    }
    const office = await readMetadata(sourceOf(makeOfficeFile('docx'), -1));
    expect(office).toMatchObject({ tags: [], complaints: [], hit: [] });
  });
});

describe('readMetadata of WAV files with sizes of 64 bits', () => {
  const chunk = (name: string, data: Buffer, size = data.length) => {
    const head = Buffer.from(`${name}\0\0\0\0`, 'latin1');
    head.writeUInt32LE(size, 4);
    return Buffer.concat([head, data]);
  };
  const format = Buffer.from('0100010080bb000000770100 02001000'.replace(' ', ''), 'hex');
  const audio = Buffer.alloc(96_000);
  const sizes = Buffer.alloc(28);
  sizes.writeBigUInt64LE(BigInt(audio.length), 8);
  const artist = chunk('LIST', Buffer.concat([Buffer.from('INFO'), chunk('IART', Buffer.from('Jane Roe'))]));
  const makeWav = (name: string, ...last: Buffer[]) => {
    const parts = [chunk('ds64', sizes), chunk('fmt ', format), chunk('data', audio, 0xffffffff), ...last];
    return Buffer.concat([Buffer.from(`${name}\xff\xff\xff\xffWAVE`, 'latin1'), ...parts]);
  };

  test.each(['RF64', 'BW64'])('returns the tags after the audio of %s', async (name) => {
    const read = await metadata(makeWav(name, artist));
    expect(read?.tags).toContainEqual(expect.objectContaining({ name: 'Artist', value: 'Jane Roe' }));
    expect(read?.complaints).toEqual([]);
  });

  test.each([
    ['is damaged', [Buffer.from('\x01\x02\x03\x04\0\0\0\0')]],
    ['has more than is copied', [chunk('junk', Buffer.alloc(0), 0xfffffff0)]],
  ])('complains about a BW64 that %s', async (_, last) => {
    expect((await metadata(makeWav('BW64', ...last)))?.complaints).not.toEqual([]);
  });
});

describe('readMetadata with damaged or unusual content', () => {
  test('gives up a small image whose text unpacks to more memory than honest files take', async () => {
    const text = pngChunk(
      'zTXt',
      Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(400 * 2 ** 20))]),
    );
    const image = makePng(8, 8);
    const atEnd = image.length - 12;
    const bomb = Buffer.concat([image.subarray(0, atEnd), text, image.subarray(atEnd)]);
    const read = await metadata(bomb);
    expect(read).toMatchObject({ tags: [], complaints: [{ text: 'ExifTool gave no answer.' }] });
  });

  test('reads the tags before the damage', async () => {
    const read = await metadata(photo.subarray(0, photo.length / 2));
    expect(read?.tags.map(({ name }) => name)).toContain('GPSLatitude');
  });

  test.each([
    ['JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, ...Buffer.from('JFIF\0'), 1])],
    ['video', sample('clip.mp4').subarray(0, 40)],
    ['PDF', makePdf().subarray(0, 30)],
    ['audio file', sample('tone.flac').subarray(0, 30)],
  ])('returns a result for a truncated %s', async (_, bytes) => {
    expect(await metadata(bytes)).toMatchObject({ track: null, thumbnails: [] });
  });

  test('marks metadata above the size limit as incomplete, and still returns the other tags', async () => {
    const read = await metadata(sample('clip.mov'), { embeddedOutputBytes: 100 });
    expect(read?.hit).toEqual(['embeddedOutputBytes']);
    expect(read?.tags.map(({ name }) => name)).toContain('HandlerType');
  });

  test('keeps only the first 1000 Office properties, and marks the metadata as incomplete', async () => {
    const core = { name: 'docProps/core.xml', data: '<a>b'.repeat(200_000) };
    const read = await readMetadata(sourceOf(makeOfficeFile('docx', [core]), -1));
    expect(read?.hit).toEqual(['properties']);
    expect(read?.tags).toHaveLength(1000);
  });

  test.each([
    ['in CDATA', '<dc:creator><![CDATA[Ann <ann@example.org>]]></dc:creator>', 'Ann <ann@example.org>'],
    ['with entities', '<dc:creator>Ann &amp; B&#111;b</dc:creator>', 'Ann & Bob'],
    ['interrupted by a comment', '<dc:creator>An<!-- x -->n</dc:creator>', 'Ann'],
    ['in an unclosed element', '<dc:creator>Ann', 'Ann'],
  ])('reads an author %s from an Office file', async (_, xml, value) => {
    const core = { name: 'docProps/core.xml', data: `<cp:coreProperties>${xml}</cp:coreProperties>` };
    const read = await readMetadata(sourceOf(makeOfficeFile('docx', [core]), -1));
    expect(read?.tags).toMatchObject([{ family: 'Office', group: 'core', name: 'Creator', value }]);
  });
});

test('readMetadata rejects if the signal is aborted', async () => {
  const source = { ...sourceOf(photo, -1), signal: AbortSignal.abort() };
  await expect(readMetadata(source)).rejects.toThrow(/abort/i);
});

describe('readMetadataReport', () => {
  const report = (rows: Record<string, unknown>, reading = createReading()) => {
    const read = readMetadataReport(JSON.stringify([rows]), reading);
    return read && { ...read, hit: reading.hit };
  };

  test('returns null for truncated JSON', () => {
    expect(readMetadataReport('[{"SourceFile": "/in",', createReading())).toBeNull();
    expect(readMetadataReport('', createReading())).toBeNull();
  });

  test('returns all positions of a track, with their count and time range', () => {
    const rows = Array.from({ length: 5000 }, (_, i) => [
      [`QuickTime:Track3:Doc${i + 1}:Copy${i}:SampleTime`, i * 2],
      [`QuickTime:Track3:Doc${i + 1}:Copy${i}:GPSLatitude`, 48 + i / 1e5],
      [`QuickTime:Track3:Doc${i + 1}:Copy${i}:GPSLongitude`, 2],
    ]);
    const track = report(Object.fromEntries(rows.flat()))?.track;
    expect(track).toMatchObject({ sampleCount: 5000, startMs: 0, endMs: 9_998_000 });
    expect(track?.samples).toHaveLength(5000);
    expect(track?.samples[1]).toEqual({ latitude: 48.00001, longitude: 2, timeMs: 2000 });
  });

  test('assigns the time of a sample to all positions in that sample', () => {
    const track = report({
      'GoPro:GoPro:Doc1::SampleTime': 7,
      'GoPro:GoPro:Doc1-1::GPSLatitude': 48.5,
      'GoPro:GoPro:Doc1-1::GPSLongitude': 2.5,
      'GoPro:GoPro:Doc1-2:Copy1:GPSLatitude': 48.6,
      'GoPro:GoPro:Doc1-2:Copy1:GPSLongitude': 2.6,
    })?.track;
    expect(track).toMatchObject({ sampleCount: 2, startMs: 7000, endMs: 7000 });
  });

  test('returns the position of an image inside a PDF as tags, not as a track', () => {
    const read = report({ 'EXIF:GPS:Doc1::GPSLatitude': 48.5, 'EXIF:GPS:Doc1::GPSLongitude': 2.5 });
    expect(read?.track).toBeNull();
    expect(read?.tags).toMatchObject([{ name: 'GPSLatitude', isEmbedded: true, value: '48.5' }, {}]);
  });

  test('drops only copies of a tag that say nothing new: the same value again, or one more of many numbers', () => {
    const copies = (count: number, makeValue: (i: number) => unknown, name = 'Tag') =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`XMP:XMP-x:Doc${i}:Copy${i}:${name}`, makeValue(i)]));
    const lengthOf = (rows: Record<string, unknown>) => report(rows)?.tags.length;
    expect(lengthOf(copies(30_000, () => 'same'))).toBe(1);
    expect(lengthOf(copies(30_000, (i) => i))).toBe(20);
    expect(lengthOf(copies(3000, (i) => `0.${i} 0.5 1e-3`))).toBe(20);
    expect(lengthOf(copies(3000, (i) => `photo ${i}`))).toBe(3000);
    expect(lengthOf(copies(3000, () => 48.5, 'GPSLatitude'))).toBe(3000);
    expect(lengthOf({ 'XMP:XMP-mp:Main::RegionType': ['Face', 'Face', 'Pet'] })).toBe(3);
    expect(report(copies(30_000, () => 'same'))?.hit).toEqual([]);
  });

  test('keeps 10,000 tags of 65,536 characters, and marks the reading if there is more', () => {
    const many = Array.from({ length: 30_000 }, (_, i) => [`XMP:XMP-x:Main::Tag${i}`, 'v'.repeat(100)]);
    const bounded = report({ 'XMP:XMP-x:Main::Long': 'v'.repeat(1e6), ...Object.fromEntries(many) });
    expect(bounded?.hit.toSorted()).toEqual(['metadataCharacters', 'metadataTags']);
    expect(bounded?.tags).toHaveLength(10_000);
    expect(bounded?.tags[0]?.value).toHaveLength(65_536);
    expect(report({ 'XMP:XMP-x:Main::List': Array.from({ length: 201 }, (_, i) => `id ${i}`) })?.tags).toHaveLength(
      201,
    );
  });

  test('returns errors and warnings about unreadable content as complaints, but no other warnings', () => {
    const read = report({
      'ExifTool:ExifTool:Main::Error': 'File format error',
      'ExifTool:ExifTool:Main::Warning': '[minor] Decryption is very slow for encryption V5.6 or higher',
      'ExifTool:ExifTool:Main:Copy1:Warning': 'Document is password protected (use Password option)',
    });
    expect(read?.complaints).toEqual([
      { text: 'File format error', reason: 'damaged' },
      { text: 'Document is password protected (use Password option)', reason: 'encrypted' },
    ]);
  });
});
