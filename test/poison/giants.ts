import { apng, blackRows, gif, gifFrame, pngChunk, pngHeader, pngMark } from './animation.ts';
import { be, overwrite, placeOf } from './bytes.ts';
import { changeBoxes, sampleTable } from './iso-media.ts';
import { block, cluster, element, info, matroska, number, pictureTrack } from './matroska.ts';
import type { Recipe } from './recipe.ts';

const tooLarge = ['resource_limit_exceeded'] as const;
/** What is claimed of a picture that is small in truth may count, or what is decoded. */
const tooLargeOrNot = ['resource_limit_exceeded', 'corrupt_media', 'complete'] as const;

/** The picture with other sizes in the head of its frame. */
const resizeJpeg = (jpeg: Buffer, width: number, height: number) =>
  overwrite(jpeg, placeOf(jpeg, Buffer.from([0xff, 0xc0])) + 5, be.u16(height, width));

/** A film of JPEG pictures, 40 ms each. */
const slides = (width: number, height: number, pictures: Buffer[]) =>
  matroska(
    info(),
    element('Tracks', pictureTrack(1, width, height)),
    cluster(0, ...pictures.map((picture, i) => block(1, 40 * i, picture))),
  );

const fill = (count: number, picture: Buffer) => Array<Buffer>(count).fill(picture);

/** The film with other sizes in the description of its pictures. */
const claimSize = (film: Buffer, width: number, height: number) =>
  changeBoxes(film, [...sampleTable, 'stsd'], (payload) =>
    payload.includes('avc1') ? overwrite(payload, 8 + 32, be.u16(width, height)) : payload,
  );

export const giants: Recipe[] = [
  { name: 'giants/8k-h264-mp4', filename: '8k.mp4', make: ({ seed }) => seed('8k.mp4'), expected: tooLarge },
  { name: 'giants/8k-h264-ts', filename: '8k.ts', make: ({ seed }) => seed('8k.ts'), expected: tooLarge },
  { name: 'giants/16k-png-mkv', filename: '16k.mkv', make: ({ seed }) => seed('16k.mkv'), expected: tooLarge },
  { name: 'giants/16k-png-mov', filename: '16k.mov', make: ({ seed }) => seed('16k.mov'), expected: tooLarge },
  {
    name: 'giants/grows-to-8k-midway-ts',
    filename: 'film.ts',
    make: ({ seed }) => Buffer.concat([seed('film.ts'), seed('8k.ts')]),
    expected: tooLargeOrNot,
  },
  {
    name: 'giants/grows-to-8k-midway-mkv',
    filename: 'film.mkv',
    make: ({ seed }) => {
      const small = seed('still.jpg');
      return slides(160, 90, [small, small, small, seed('8k.jpg'), small, small]);
    },
    expected: tooLargeOrNot,
  },
  {
    name: 'giants/grows-twofold-midway-ts',
    filename: 'film.ts',
    make: ({ seed }) => Buffer.concat([seed('film.ts'), seed('larger.ts')]),
    expected: ['complete'],
  },
  {
    name: 'giants/grows-twofold-midway-mkv',
    filename: 'film.mkv',
    make: ({ seed }) => slides(160, 90, [...fill(20, seed('still.jpg')), ...fill(200, seed('larger.jpg'))]),
    expected: ['complete'],
  },
  {
    name: 'giants/shrinks-by-half-midway-mkv',
    filename: 'film.mkv',
    make: ({ seed }) => slides(320, 180, [...fill(20, seed('larger.jpg')), ...fill(200, seed('still.jpg'))]),
    expected: ['complete'],
  },
  {
    name: 'giants/changes-the-format-of-its-pixels-each-time',
    filename: 'film.mkv',
    make: ({ seed }) =>
      slides(
        160,
        90,
        Array.from({ length: 200 }, (_, i) => seed(i % 2 ? 'still.jpg' : 'other-format.jpg')),
      ),
    expected: ['complete'],
  },
  {
    name: 'giants/begins-with-8k-then-small',
    filename: 'film.mkv',
    make: ({ seed }) => slides(160, 90, [seed('8k.jpg'), ...fill(10, seed('still.jpg'))]),
    expected: tooLargeOrNot,
  },
  {
    name: 'giants/changes-its-size-with-every-picture',
    filename: 'film.mkv',
    make: ({ seed }) =>
      slides(
        160,
        90,
        Array.from({ length: 60 }, (_, i) => resizeJpeg(seed('still.jpg'), 16 + 97 * (i % 17), 16 + 61 * (i % 13))),
      ),
    hasBitten: true,
    expected: tooLargeOrNot,
  },
  ...[65_500, 20_000].map(
    (side): Recipe => ({
      name: `giants/jpeg-that-claims-${side}`,
      filename: 'film.mkv',
      make: ({ seed }) => slides(side, side, fill(5, resizeJpeg(seed('still.jpg'), side, side))),
      hasBitten: true,
      expected: ['resource_limit_exceeded', 'corrupt_media'],
    }),
  ),
  {
    name: 'giants/mkv-that-claims-2^32-pixels-a-side',
    filename: 'film.mkv',
    make: ({ seed }) => slides(2 ** 32 - 1, 2 ** 32 - 1, [seed('still.jpg'), seed('still.jpg')]),
    expected: tooLargeOrNot,
  },
  {
    name: 'giants/mp4-that-claims-65535',
    filename: 'film.mp4',
    make: ({ seed }) => claimSize(seed('head-last.mp4'), 65_535, 65_535),
    expected: tooLargeOrNot,
  },
  {
    name: 'giants/mp4-that-claims-one-line-of-65535',
    filename: 'film.mp4',
    make: ({ seed }) => claimSize(seed('head-last.mp4'), 65_535, 1),
    expected: tooLargeOrNot,
  },
  {
    name: 'giants/mkv-of-no-size',
    filename: 'film.mkv',
    make: ({ seed }) => slides(0, 0, [seed('still.jpg'), seed('still.jpg')]),
    expected: ['complete', 'corrupt_media'],
  },
  {
    name: 'giants/gif-of-65535',
    filename: 'a.gif',
    make: () => gif(65_535, 65_535, gifFrame(10), gifFrame(10, 65_535, 65_535), gifFrame(10)),
    expected: ['complete', 'resource_limit_exceeded'],
  },
  {
    name: 'giants/png-of-30000-in-a-few-kilobytes',
    filename: 'a.png',
    make: () =>
      Buffer.concat([pngMark, pngHeader(30_000, 30_000), pngChunk('IDAT', blackRows(30_000, 100)), pngChunk('IEND')]),
    expected: ['complete', 'resource_limit_exceeded'],
  },
  {
    name: 'giants/apng-of-20000',
    filename: 'a.png',
    make: () =>
      apng(20_000, 2000, [
        { width: 20_000, height: 2000, delay: [1, 10] },
        { width: 20_000, height: 2000, delay: [1, 10] },
      ]),
    expected: ['complete', 'resource_limit_exceeded'],
  },
  {
    name: 'giants/thousand-pictures-a-second-mp4',
    filename: 'film.mp4',
    make: ({ seed }) => seed('thousand-a-second.mp4'),
    expected: ['complete'],
  },
  {
    name: 'giants/thousand-pictures-a-second-mkv',
    filename: 'film.mkv',
    make: ({ seed }) => seed('thousand-a-second.mkv'),
    expected: ['complete'],
  },
  {
    name: 'giants/mkv-that-claims-a-picture-each-nanosecond',
    filename: 'film.mkv',
    make: ({ seed }) =>
      matroska(
        info(),
        element('Tracks', pictureTrack(1, 160, 90, number('DefaultDuration', 1))),
        cluster(0, ...Array.from({ length: 50 }, (_, i) => block(1, i, seed('still.jpg')))),
      ),
    expected: ['complete'],
  },
  {
    name: 'giants/1500-pictures-at-one-moment',
    filename: 'film.mkv',
    make: ({ seed }) =>
      matroska(
        info(),
        element('Tracks', pictureTrack(1)),
        cluster(0, ...Array.from({ length: 1500 }, () => block(1, 0, seed('still.jpg')))),
      ),
    expected: ['complete', 'corrupt_media'],
  },
];
