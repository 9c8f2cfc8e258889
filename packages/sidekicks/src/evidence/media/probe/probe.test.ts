import { readFileSync } from 'node:fs';
import { mediaTypeOfFilename, mediaTypes } from '@assay/contract/media-types.ts';
import { withAnonymousFile } from '@assay/jail/anonymous-file.ts';
import { makeWithFfmpegSync } from '@assay/testing/media/made-by-ffmpeg.ts';
import { makePdf, sample, sampleNames } from '@assay/testing/media/samples.ts';
import { describe, expect, test } from 'vitest';
import { demuxerOf, readProbe } from './probe.ts';
import { readProbeReport } from './probe-report.ts';
import { nameSecondAsChapters } from './samples/name-as-chapters.ts';

function make(...args: Parameters<typeof makeWithFfmpegSync>): Uint8Array {
  return readFileSync(makeWithFfmpegSync(...args));
}

function sourceOf(bytes: Uint8Array, fd: number) {
  const read = async (target: Uint8Array, offset: number) => Buffer.from(bytes).copy(target, 0, offset);
  const signal = new AbortController().signal;
  return { bytes: { sizeBytes: bytes.length, read }, fd, signal, jail: 'bubblewrap' as const };
}

const probe = (bytes: Uint8Array) => withAnonymousFile(bytes, (fd) => readProbe(sourceOf(bytes, fd)));

const categoryOf = (name: string) => mediaTypeOfFilename(name)?.category;
const videos = sampleNames.filter((name) => categoryOf(name) === 'video');
const audioFiles = sampleNames.filter((name) => categoryOf(name) === 'audio');

describe('readProbe', () => {
  test.each(videos)('returns a video stream, an audio stream and the duration of %s', async (name) => {
    const read = await probe(sample(name));
    expect(read?.streams.map(({ kind }) => kind).toSorted()).toEqual(['audio', 'video']);
    expect(read?.streams.find(({ kind }) => kind === 'video')).toMatchObject({
      height: name === 'clip.mxf' ? 576 : 144,
    });
    expect(read?.durationSeconds).toBeGreaterThan(0.9);
    expect(read?.durationSeconds).toBeLessThan(1.2);
  });

  test.each(audioFiles)('returns one audio stream for %s', async (name) => {
    const read = await probe(sample(name));
    expect(read?.streams).toMatchObject([
      { kind: 'audio', channels: 1, sampleRate: name === 'tone.opus' ? 48_000 : 44_100 },
    ]);
    expect(read?.reader).toMatch(/^ffprobe \d/);
  });

  test('returns tags of the container and of each stream, chapters and rotation', async () => {
    const chapters = ';FFMETADATA1\ntitle=Spring\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=500\ntitle=One\n';
    const inputs = { 'clip.mp4': sample('clip.mp4'), 'chapters.txt': chapters };
    const copied = ['-map_metadata', '1', '-c', 'copy', '-metadata:s:v', 'rotate=90'];
    const read = await probe(make('.mp4', ['-i', 'clip.mp4', '-i', 'chapters.txt', ...copied], inputs));
    expect(read?.tags).toContainEqual({ name: 'title', value: 'Spring' });
    expect(read?.chapters).toEqual([{ startSeconds: 0, endSeconds: 0.5, title: 'One' }]);
    expect(Math.abs(read?.streams[0]?.rotation ?? 0)).toBe(90);
    expect(read?.streams[0]?.tags).toContainEqual({ name: 'handler_name', value: 'VideoHandler' });
  });

  test('reads audio that another track names as its chapters like any other audio', async () => {
    const video = ['-f', 'lavfi', '-i', 'testsrc2=s=64x36:d=1', '-f', 'lavfi', '-i', 'sine=d=1'];
    const read = await probe(nameSecondAsChapters(Buffer.from(make('.mp4', [...video, '-c:a', 'aac']))));
    expect(read?.streams).toMatchObject([{ kind: 'video' }, { kind: 'audio', codec: 'aac', sampleRate: 44_100 }]);
  });

  test('has a demuxer for every accepted video and audio format', () => {
    const names = mediaTypes.flatMap(({ category, recognisedAs }) =>
      category === 'video' || category === 'audio' ? recognisedAs : [],
    );
    expect(names.filter((name) => !demuxerOf(name))).toEqual([]);
  });

  test('runs no tool for images, documents and text', async () => {
    for (const bytes of [sample('still.jpg'), sample('still.avif'), makePdf(), Buffer.from('#EXTM3U\n/etc/passwd\n')]) {
      expect(await readProbe(sourceOf(bytes, -1))).toBeNull();
    }
  });
});

describe('readProbe with a file that cannot be analysed', () => {
  test.each([
    ['a truncated MP4', sample('clip.mp4').subarray(0, 48)],
    ['a truncated Matroska file', sample('clip.mkv').subarray(0, 64)],
    ['a truncated WAV', sample('tone.wav').subarray(0, 16)],
    ['a video without streams', make('.mp4', ['-f', 'lavfi', '-i', 'sine=d=0', '-t', '0'])],
  ])('reports %s as corrupt', async (_, bytes) => {
    await expect(probe(bytes)).rejects.toMatchObject({ errorType: 'corrupt_media' });
  });

  test('reports an encrypted video as encrypted, not as corrupt', async () => {
    const key = '00112233445566778899aabbccddeeff';
    const encryption = ['-encryption_scheme', 'cenc-aes-ctr', '-encryption_key', key, '-encryption_kid', key];
    const inputs = { 'clip.mp4': sample('clip.mp4') };
    const bytes = make('.mp4', ['-i', 'clip.mp4', '-c', 'copy', ...encryption], inputs);
    await expect(probe(bytes)).rejects.toMatchObject({ errorType: 'encrypted_media' });
  });

  test('rejects media longer than six hours as too long', async () => {
    const still = (seconds: number) =>
      make('.mkv', ['-f', 'lavfi', '-i', `color=s=16x16:r=1/${seconds}`, '-frames:v', '1', '-c:v', 'mjpeg']);
    await expect(probe(still(22_000))).rejects.toMatchObject({ errorType: 'media_too_long' });
    expect((await probe(still(21_000)))?.durationSeconds).toBe(21_000);
  });
});

test('readProbe rejects if the signal is aborted', async () => {
  const bytes = sample('clip.mp4');
  await expect(readProbe({ ...sourceOf(bytes, -1), signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
});

describe('readProbeReport', () => {
  test('returns null for truncated or incomplete JSON', () => {
    expect(readProbeReport('{"format": {"format_name": "mo')).toBeNull();
    expect(readProbeReport('{}')).toBeNull();
    expect(readProbeReport('[]')).toBeNull();
  });

  test('limits the size of the report, however many tags there are and however long they are', () => {
    const lengthOf = (i: number) => (i < 300 ? 50_000 : 2000);
    const tags = Object.fromEntries(
      Array.from({ length: 5000 }, (_, i) => [`${i}${'n'.repeat(500)}`, 'v'.repeat(lengthOf(i))]),
    );
    const read = readProbeReport(JSON.stringify({ format: { tags }, streams: [{ tags, codec_type: 'video' }] }));
    expect(JSON.stringify(read).length).toBeLessThan(2_000_000);
  });

  test.each([
    ['a stream’s sample entry', { streams: [{ codec_tag_string: 'drms' }] }],
    ['the side data of packets', { packets: [{ side_data_list: [{ side_data_type: 'Encryption info' }] }] }],
    [
      'the side data of a stream',
      { streams: [{ side_data_list: [{ side_data_type: 'Encryption initialization data' }] }] },
    ],
  ])('detects encryption from %s', (_, more) => {
    expect(readProbeReport(JSON.stringify({ format: {}, ...more }))?.isEncrypted).toBe(true);
  });
});
