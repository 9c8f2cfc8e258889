import { withAnonymousFile } from '@assay/jail/anonymous-file.ts';
import { makeArchive, makeOfficeFile } from '@assay/testing/media/make-office.ts';
import { makePdf, sample } from '@assay/testing/media/samples.ts';
import { describe, expect, test } from 'vitest';
import { withPosition } from '#checks/metadata-privacy/samples/make-exif.ts';
import { readMetadata } from './metadata.ts';
import { readMetadataReport } from './metadata-report.ts';

function sourceOf(bytes: Uint8Array, fd: number) {
  const read = async (target: Uint8Array, offset: number) => Buffer.from(bytes).copy(target, 0, offset);
  const signal = new AbortController().signal;
  return { bytes: { sizeBytes: bytes.length, read }, fd, signal, jail: 'bubblewrap' as const };
}

const metadata = (bytes: Uint8Array, embeddedBytesMax?: number) =>
  withAnonymousFile(bytes, (fd) => readMetadata(sourceOf(bytes, fd), embeddedBytesMax));
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
    const none = [
      Buffer.from('text'),
      Buffer.from('WEBVTT\n'),
      sample('tone.aac'),
      makeArchive([{ name: 'a', data: 'x' }]),
      Buffer.from('\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0', 'latin1'),
    ];
    for (const bytes of none) expect(await readMetadata(sourceOf(bytes, -1))).toBeNull();
    expect(await readMetadata(sourceOf(makeOfficeFile('docx'), -1))).toMatchObject({ tags: [], isWhole: true });
  });
});

describe('readMetadata with damaged or unusual content', () => {
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
    const read = await metadata(sample('clip.mov'), 100);
    expect(read?.isWhole).toBe(false);
    expect(read?.tags.map(({ name }) => name)).toContain('HandlerType');
  });

  test('keeps only the first 1000 Office properties, and marks the metadata as incomplete', async () => {
    const core = { name: 'docProps/core.xml', data: '<a>b'.repeat(200_000) };
    const read = await readMetadata(sourceOf(makeOfficeFile('docx', [core]), -1));
    expect(read).toMatchObject({ isWhole: false });
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
  const report = (rows: Record<string, unknown>) => readMetadataReport(JSON.stringify([rows]));

  test('returns null for truncated JSON', () => {
    expect(readMetadataReport('[{"SourceFile": "/in",')).toBeNull();
    expect(readMetadataReport('')).toBeNull();
  });

  test('returns the first positions of a track, and the count and time range of all of them', () => {
    const rows = Array.from({ length: 5000 }, (_, i) => [
      [`QuickTime:Track3:Doc${i + 1}:Copy${i}:SampleTime`, i * 2],
      [`QuickTime:Track3:Doc${i + 1}:Copy${i}:GPSLatitude`, 48 + i / 1e5],
      [`QuickTime:Track3:Doc${i + 1}:Copy${i}:GPSLongitude`, 2],
    ]);
    const track = report(Object.fromEntries(rows.flat()))?.track;
    expect(track).toMatchObject({ sampleCount: 5000, startMs: 0, endMs: 9_998_000 });
    expect(track?.samples).toHaveLength(1000);
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

  test('drops excess copies of a tag silently, but marks the metadata as incomplete if it drops different tags', () => {
    const copies = Array.from({ length: 30_000 }, (_, i) => [`GIF:GIF:Main:Copy${i}:TransparentColor`, 4]);
    const many = Array.from({ length: 30_000 }, (_, i) => [`XMP:XMP-x:Main::Tag${i}`, 'v'.repeat(100)]);
    expect(report(Object.fromEntries(copies))).toMatchObject({ isWhole: true });
    expect(report(Object.fromEntries(copies))?.tags.length).toBeLessThan(100);
    const bounded = report({ ...Object.fromEntries(many), 'XMP:XMP-x:Main::Long': 'v'.repeat(1e6) });
    expect(bounded?.isWhole).toBe(false);
    expect(JSON.stringify(bounded).length).toBeLessThan(2_000_000);
  });

  test('returns errors and warnings about unreadable content as complaints, but no other warnings', () => {
    const read = report({
      'ExifTool:ExifTool:Main::Error': 'File format error',
      'ExifTool:ExifTool:Main::Warning': '[minor] Decryption is very slow for encryption V5.6 or higher',
      'ExifTool:ExifTool:Main:Copy1:Warning': 'Document is password protected (use Password option)',
    });
    expect(read?.complaints).toEqual(['File format error', 'Document is password protected (use Password option)']);
  });
});
