import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openMediaFolder } from '@assay/testing/media/video-source.ts';
import { describe, expect, test } from 'vitest';
import { examine, greySource, lossless, strobe } from './samples/examine.ts';

const mediaFolder = openMediaFolder('flash-coverage');
const moving = ['-f', 'lavfi', '-i', 'testsrc2=s=96x64:r=25:d=2'];
const tone = ['-f', 'lavfi', '-i', 'sine=d=2'];
const frames = (share: number | null) => ({
  kind: 'frames',
  label: 'frames that cannot be decoded',
  reason: 'damaged',
  share,
});

/** Writes these bytes as a file of the folder. */
async function write(filename: string, bytes: Uint8Array): Promise<string> {
  const path = join(mediaFolder.folder, filename);
  await writeFile(path, bytes);
  return path;
}

describe('frames that cannot be decoded', () => {
  /** Overwrites the packets of these frames of an intra-coded video. */
  async function damaged(filename: string, isDamaged: (frame: number) => boolean): Promise<string> {
    const path = await mediaFolder.make(`whole-${filename}`, ...moving, ...lossless, '-g', '1');
    const bytes = await readFile(path);
    const listed = ['-v', 'error', '-show_entries', 'packet=pos,size', '-of', 'csv=p=0', path];
    const { stdout } = await promisify(execFile)('ffprobe', listed);
    for (const [frame, line] of stdout.trim().split('\n').entries()) {
      const [size = 0, position = 0] = line.split(',').map(Number);
      if (isDamaged(frame)) bytes.fill(0xff, position, position + size);
    }
    return write(filename, bytes);
  }

  test('in the middle make the check incomplete, with their share', async () => {
    const path = await damaged('middle.mp4', (frame) => frame >= 15 && frame < 30);
    const { outcome, examined, notExamined, findings } = await examine(path);
    expect(outcome).toBe('incomplete');
    expect(examined).toEqual([{ kind: 'video_stream', label: 'video', quantity: 35, unit: 'frames' }]);
    expect(notExamined).toEqual([frames(0.3)]);
    expect(findings).toMatchObject([
      { ruleCode: 'PSE-NOT-VERIFIED', severity: 'MAJOR', isCertain: false, summary: expect.stringContaining('30.0 %') },
    ]);
  });

  test('at the end make the check incomplete, with their share', async () => {
    const path = await damaged('end.mp4', (frame) => frame >= 40);
    expect((await examine(path)).notExamined).toEqual([frames(0.2)]);
  });

  test('because they are missing make the check incomplete, although nothing reports an error', async () => {
    const bytes = await readFile(await mediaFolder.make('whole.mkv', ...moving, ...lossless));
    const duration = bytes.indexOf(Buffer.from('448988', 'hex')); // the element Duration, a double of milliseconds
    expect(bytes.readDoubleBE(duration + 3)).toBeCloseTo(2000, -2);
    bytes.writeDoubleBE(8000, duration + 3);
    const { outcome, notExamined } = await examine(await write('recording.mkv', bytes));
    expect(outcome).toBe('incomplete');
    expect(notExamined).toEqual([frames(expect.closeTo(0.75, 1))]);
  });

  test('of the audio only are no frames', async () => {
    const path = await mediaFolder.make(
      'sound.mp4',
      ...moving,
      ...tone,
      ...lossless,
      '-c:a',
      'aac',
      '-bsf:a',
      'noise=1',
    );
    expect(await examine(path)).toMatchObject({ outcome: 'ran', notExamined: [] });
  });
});

const variable = ['-vf', "select='gte(mod(n,10),3)'", '-fps_mode', 'vfr'];

test.each([
  ['a variable frame rate with B-frames', 'vfr.mp4', ['-c:v', 'libx264', '-bf', '2', ...variable], 35],
  ['a variable frame rate in Matroska', 'vfr.mkv', ['-c:v', 'libx264', '-bf', '2', ...variable], 35],
  ['AVI, which has no times of presentation', 'b.avi', ['-c:v', 'mpeg4', '-bf', '2'], 50],
  [
    'invisible frames of VP8',
    'altref.webm',
    ['-c:v', 'libvpx', '-auto-alt-ref', '1', '-lag-in-frames', '16', ...variable],
    35,
  ],
  ['interlaced MPEG-2', 'i.ts', ['-c:v', 'mpeg2video', '-flags', '+ilme+ildct', '-b:v', '1M'], 50],
  ['a program stream', 'p.mpg', ['-c:v', 'mpeg2video', '-b:v', '1M'], 50],
  ['an animated image', 'a.gif', [], 50],
])('a whole video is examined as a whole: %s', async (_, filename, coding, quantity) => {
  const { outcome, examined, notExamined } = await examine(await mediaFolder.make(filename, ...moving, ...coding));
  expect({ outcome, notExamined }).toEqual({ outcome: 'ran', notExamined: [] });
  expect(examined).toEqual([{ kind: 'video_stream', label: 'video', quantity, unit: 'frames' }]);
});

test('a whole video is examined as a whole: one cut without encoding it again, and with longer audio', async () => {
  const longer = ['-f', 'lavfi', '-i', 'sine=d=5'];
  const path = await mediaFolder.make('long.mp4', ...moving, ...longer, '-c:v', 'libx264', '-g', '25', '-c:a', 'aac');
  const cut = await mediaFolder.make('cut.mp4', '-ss', '0.6', '-i', path, '-c', 'copy');
  expect(await examine(cut)).toMatchObject({ outcome: 'ran', notExamined: [] });
});

describe('an animated image that cannot be decoded', () => {
  test('makes the check incomplete if it is a WebP of which a frame is damaged', async () => {
    const bytes = await readFile(await mediaFolder.make('strobe.webp', ...strobe, '-c:v', 'libwebp_anim'));
    const last = bytes.lastIndexOf('ANMF');
    bytes.fill(0, last + 40, last + 60);
    const { outcome, notExamined, ruleCodes } = await examine(await write('damaged.webp', bytes));
    expect({ outcome, ruleCodes }).toEqual({ outcome: 'incomplete', ruleCodes: ['PSE-NOT-VERIFIED'] });
    expect(notExamined).toEqual([{ kind: 'image', label: 'animated WebP image', reason: 'unsupported', share: 1 }]);
  });

  test('is recognised although its header does not say that it moves', async () => {
    const bytes = await readFile(await mediaFolder.make('unsaid.webp', ...strobe, '-c:v', 'libwebp_anim'));
    expect(bytes.toString('latin1', 12, 16)).toBe('VP8X');
    bytes[20] = (bytes[20] as number) & ~0x02;
    expect((await examine(await write('unsaid-flag.webp', bytes))).outcome).toBe('incomplete');
  });

  test('makes the check incomplete if it is a damaged AVIF sequence', async () => {
    const coding = ['-c:v', 'libaom-av1', '-cpu-used', '8', '-pix_fmt', 'yuv420p'];
    const source = greySource('N*40', { rate: 10, seconds: 0.3, size: '32x32' });
    const bytes = await readFile(await mediaFolder.make('three.avif', ...source, ...coding));
    bytes.write('none', bytes.indexOf('moov'), 'latin1');
    const { outcome, notExamined } = await examine(await write('no-track.avif', bytes));
    expect(outcome).toBe('incomplete');
    expect(notExamined).toMatchObject([{ kind: 'image', label: 'animated AVIF image', reason: 'unsupported' }]);
  });
});

test.each([
  ['a WebP', 'still.webp', ['-c:v', 'libwebp']],
  ['an AVIF', 'still.avif', ['-c:v', 'libaom-av1', '-cpu-used', '8', '-still-picture', '1', '-pix_fmt', 'yuv420p']],
  ['a PNG', 'still.png', []],
  ['a GIF', 'still.gif', []],
])('%s with one image has nothing to examine', async (_, filename, coding) => {
  const path = await mediaFolder.make(filename, ...moving, '-frames:v', '1', ...coding);
  expect((await examine(path)).outcome).toBe('not_applicable');
});

describe('a file that is declared as audio', () => {
  test('is examined if it has a video', async () => {
    const path = await mediaFolder.make('loud.mp4', ...strobe, ...tone, ...lossless, '-c:a', 'aac');
    expect(await examine(path, 'ebu-r128', 'song.m4a')).toMatchObject({ outcome: 'ran', ruleCodes: ['PSE-LUMINANCE'] });
  });

  test.each([
    ['only audio', 'plain.m4a', ['-map', '0']],
    [
      'cover art',
      'cover.m4a',
      ['-map', '0', '-map', '1', '-frames:v', '1', '-c:v', 'mjpeg', '-disposition:v', 'attached_pic'],
    ],
  ])('has nothing to examine with %s', async (_, filename, mapped) => {
    const path = await mediaFolder.make(filename, ...tone, ...moving, ...mapped, '-c:a', 'aac');
    expect((await examine(path)).outcome).toBe('not_applicable');
  });
});
