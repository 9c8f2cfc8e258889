import { be, offsetOf, overwrite } from '../formats/bytes.ts';
import { changeBoxes, sampleTable } from '../formats/iso-media.ts';
import { block, cluster, element, info, matroska, number, videoTrack } from '../formats/matroska.ts';
import type { Recipe } from '../formats/recipe.ts';
import { apng, blackRows, gif, gifFrame, pngChunk, pngHeader, pngSignature } from './animation.ts';

const tooLarge = ['resource_limit_exceeded'] as const;
/** For a small frame that claims to be large, either the claimed or the decoded size may count. */
const tooLargeOrNot = ['resource_limit_exceeded', 'corrupt_media', 'complete'] as const;

/** The JPEG with another size in its frame header. */
const resizeJpeg = (jpeg: Buffer, width: number, height: number) =>
  overwrite(jpeg, offsetOf(jpeg, Buffer.from([0xff, 0xc0])) + 5, be.u16(height, width));

/** A video of JPEG frames, 40 ms each. */
const slides = (width: number, height: number, frames: Buffer[]) =>
  matroska(
    info(),
    element('Tracks', videoTrack(1, width, height)),
    cluster(0, ...frames.map((frame, i) => block(1, 40 * i, frame))),
  );

const fill = (count: number, frame: Buffer) => Array<Buffer>(count).fill(frame);

/** The video with another frame size in its sample description. */
const claimSize = (video: Buffer, width: number, height: number) =>
  changeBoxes(video, [...sampleTable, 'stsd'], (payload) =>
    payload.includes('avc1') ? overwrite(payload, 8 + 32, be.u16(width, height)) : payload,
  );

export const oversized: Recipe[] = [
  { name: 'oversized/8k-h264-mp4', filename: '8k.mp4', make: ({ seed }) => seed('8k.mp4'), expected: tooLarge },
  { name: 'oversized/8k-h264-ts', filename: '8k.ts', make: ({ seed }) => seed('8k.ts'), expected: tooLarge },
  { name: 'oversized/16k-png-mkv', filename: '16k.mkv', make: ({ seed }) => seed('16k.mkv'), expected: tooLarge },
  { name: 'oversized/16k-png-mov', filename: '16k.mov', make: ({ seed }) => seed('16k.mov'), expected: tooLarge },
  {
    name: 'oversized/grows-to-8k-midway-ts',
    filename: 'video.ts',
    make: ({ seed }) => Buffer.concat([seed('video.ts'), seed('8k.ts')]),
    expected: tooLargeOrNot,
  },
  {
    name: 'oversized/grows-to-8k-midway-mkv',
    filename: 'video.mkv',
    make: ({ seed }) => {
      const small = seed('still.jpg');
      return slides(160, 90, [small, small, small, seed('8k.jpg'), small, small]);
    },
    expected: tooLargeOrNot,
  },
  {
    name: 'oversized/grows-twofold-midway-ts',
    filename: 'video.ts',
    make: ({ seed }) => Buffer.concat([seed('video.ts'), seed('larger.ts')]),
    expected: ['complete'],
  },
  {
    name: 'oversized/grows-twofold-midway-mkv',
    filename: 'video.mkv',
    make: ({ seed }) => slides(160, 90, [...fill(20, seed('still.jpg')), ...fill(200, seed('larger.jpg'))]),
    expected: ['complete'],
  },
  {
    name: 'oversized/shrinks-by-half-midway-mkv',
    filename: 'video.mkv',
    make: ({ seed }) => slides(320, 180, [...fill(20, seed('larger.jpg')), ...fill(200, seed('still.jpg'))]),
    expected: ['complete'],
  },
  {
    name: 'oversized/changes-the-format-of-its-pixels-each-time',
    filename: 'video.mkv',
    make: ({ seed }) =>
      slides(
        160,
        90,
        Array.from({ length: 200 }, (_, i) => seed(i % 2 ? 'still.jpg' : 'other-format.jpg')),
      ),
    expected: ['complete'],
  },
  {
    name: 'oversized/begins-with-8k-then-small',
    filename: 'video.mkv',
    make: ({ seed }) => slides(160, 90, [seed('8k.jpg'), ...fill(10, seed('still.jpg'))]),
    expected: tooLargeOrNot,
  },
  {
    name: 'oversized/changes-its-size-with-every-frame',
    filename: 'video.mkv',
    make: ({ seed }) =>
      slides(
        160,
        90,
        Array.from({ length: 60 }, (_, i) => resizeJpeg(seed('still.jpg'), 16 + 97 * (i % 17), 16 + 61 * (i % 13))),
      ),
    isRegression: true,
    expected: tooLargeOrNot,
  },
  ...[65_500, 20_000].map(
    (side): Recipe => ({
      name: `oversized/jpeg-that-claims-${side}`,
      filename: 'video.mkv',
      make: ({ seed }) => slides(side, side, fill(5, resizeJpeg(seed('still.jpg'), side, side))),
      isRegression: true,
      expected: ['resource_limit_exceeded', 'corrupt_media'],
    }),
  ),
  {
    name: 'oversized/mkv-that-claims-2^32-pixels-a-side',
    filename: 'video.mkv',
    make: ({ seed }) => slides(2 ** 32 - 1, 2 ** 32 - 1, [seed('still.jpg'), seed('still.jpg')]),
    expected: tooLargeOrNot,
  },
  {
    name: 'oversized/mp4-that-claims-65535',
    filename: 'video.mp4',
    make: ({ seed }) => claimSize(seed('head-last.mp4'), 65_535, 65_535),
    expected: tooLargeOrNot,
  },
  {
    name: 'oversized/mp4-that-claims-one-line-of-65535',
    filename: 'video.mp4',
    make: ({ seed }) => claimSize(seed('head-last.mp4'), 65_535, 1),
    expected: tooLargeOrNot,
  },
  {
    name: 'oversized/mkv-of-no-size',
    filename: 'video.mkv',
    make: ({ seed }) => slides(0, 0, [seed('still.jpg'), seed('still.jpg')]),
    expected: ['complete', 'corrupt_media'],
  },
  {
    name: 'oversized/gif-of-65535',
    filename: 'a.gif',
    make: () => gif(65_535, 65_535, gifFrame(10), gifFrame(10, 65_535, 65_535), gifFrame(10)),
    expected: ['complete', 'resource_limit_exceeded'],
  },
  {
    name: 'oversized/png-of-30000-in-a-few-kilobytes',
    filename: 'a.png',
    make: () =>
      Buffer.concat([
        pngSignature,
        pngHeader(30_000, 30_000),
        pngChunk('IDAT', blackRows(30_000, 100)),
        pngChunk('IEND'),
      ]),
    expected: ['complete', 'resource_limit_exceeded'],
  },
  {
    name: 'oversized/apng-of-20000',
    filename: 'a.png',
    make: () =>
      apng(20_000, 2000, [
        { width: 20_000, height: 2000, delay: [1, 10] },
        { width: 20_000, height: 2000, delay: [1, 10] },
      ]),
    expected: ['complete', 'resource_limit_exceeded'],
  },
  {
    name: 'oversized/thousand-frames-a-second-mp4',
    filename: 'video.mp4',
    make: ({ seed }) => seed('thousand-a-second.mp4'),
    expected: ['complete'],
  },
  {
    name: 'oversized/thousand-frames-a-second-mkv',
    filename: 'video.mkv',
    make: ({ seed }) => seed('thousand-a-second.mkv'),
    expected: ['complete'],
  },
  {
    name: 'oversized/mkv-that-claims-a-frame-each-nanosecond',
    filename: 'video.mkv',
    make: ({ seed }) =>
      matroska(
        info(),
        element('Tracks', videoTrack(1, 160, 90, number('DefaultDuration', 1))),
        cluster(0, ...Array.from({ length: 50 }, (_, i) => block(1, i, seed('still.jpg')))),
      ),
    expected: ['complete'],
  },
  {
    name: 'oversized/1500-frames-at-one-moment',
    filename: 'video.mkv',
    make: ({ seed }) =>
      matroska(
        info(),
        element('Tracks', videoTrack(1)),
        cluster(0, ...Array.from({ length: 1500 }, () => block(1, 0, seed('still.jpg')))),
      ),
    expected: ['complete', 'corrupt_media'],
  },
];
