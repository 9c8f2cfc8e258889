import { be, latin, le, offsetOf, overwrite } from '../formats/bytes.ts';
import {
  addToBox,
  box,
  boxWithSize,
  changeBoxes,
  fileType,
  fullBox,
  largeBoxWithSize,
  sampleTable,
} from '../formats/iso-media.ts';
import { audioTrack, block, cluster, element, elementWithSize, header, info } from '../formats/matroska.ts';
import type { Recipe, Verdict } from '../formats/recipe.ts';
import { chunk, chunkWithSize, waveFormat } from '../formats/riff.ts';

const deep = 10_000;
const unreadable: readonly Verdict[] = ['corrupt_media'];
const readableOrNot: readonly Verdict[] = ['complete', 'corrupt_media'];

/** Boxes nested this deep. */
const nested = (type: string, depth: number) => {
  const heads = Array.from({ length: depth }, (_, i) => Buffer.concat([be.u32(8 * (depth - i)), latin(type)]));
  return Buffer.concat(heads);
};

/** False sizes, each in the header of a box in the middle of a valid video. */
const falseSizes: Record<string, (type: string) => Uint8Array> = {
  '2^32-1': (type) => boxWithSize(type, 2 ** 32 - 1, Buffer.alloc(16)),
  '2^31': (type) => boxWithSize(type, 2 ** 31, Buffer.alloc(16)),
  '0': (type) => boxWithSize(type, 0, Buffer.alloc(16)),
  '1-and-nothing-behind': (type) => boxWithSize(type, 1),
  '2': (type) => boxWithSize(type, 2, Buffer.alloc(16)),
  '7': (type) => boxWithSize(type, 7, Buffer.alloc(16)),
  '2^63': (type) => largeBoxWithSize(type, 2n ** 63n, Buffer.alloc(16)),
  '2^64-1': (type) => largeBoxWithSize(type, 2n ** 64n - 1n, Buffer.alloc(16)),
  '64-bit-of-0': (type) => largeBoxWithSize(type, 0n, Buffer.alloc(16)),
};

const sizes: Recipe[] = Object.entries(falseSizes).flatMap(([size, write]): Recipe[] => [
  {
    name: `atoms/moov-of-${size}`,
    filename: 'video.mp4',
    make: () => Buffer.concat([fileType, write('moov')]),
    expected: unreadable,
  },
  {
    name: `atoms/trak-of-${size}-within-a-video`,
    filename: 'video.mp4',
    make: ({ seed }) => addToBox(seed('head-last.mp4'), ['moov'], write('trak')),
    expected: readableOrNot,
  },
]);

/** A table of the first track that claims this many entries. */
const claimEntries = (video: Buffer, table: string, count: number) =>
  changeBoxes(video, [...sampleTable, table], (payload) => overwrite(payload, 4, be.u32(count)));

const tables: Recipe[] = ['stts', 'stsc', 'stco', 'stss', 'ctts', 'stsd'].flatMap((table) =>
  [2 ** 32 - 1, 0x10000000].map((count) => ({
    name: `atoms/${table}-of-${count}-entries`,
    filename: 'video.mp4',
    make: ({ seed }) => claimEntries(seed('head-last.mp4'), table, count),
    expected: [...readableOrNot, 'unsupported_codec', 'resource_limit_exceeded'] as const,
  })),
);

export const atoms: Recipe[] = [
  ...sizes,
  ...tables,
  ...['moov', 'udta', 'trak'].map(
    (type): Recipe => ({
      name: `atoms/${deep}-${type}-in-each-other`,
      filename: 'video.mp4',
      make: ({ seed }) => {
        const nest = nested(type, deep);
        return type === 'moov' ? Buffer.concat([fileType, nest]) : addToBox(seed('head-last.mp4'), ['moov'], nest);
      },
      expected: readableOrNot,
    }),
  ),
  {
    name: 'atoms/meta-in-meta',
    filename: 'video.mp4',
    make: ({ seed }) => {
      const nest = Array.from({ length: 2000 }).reduce<Buffer>((inner) => fullBox('meta', inner), Buffer.alloc(0));
      return addToBox(seed('head-last.mp4'), ['moov'], box('udta', nest));
    },
    expected: readableOrNot,
  },
  {
    name: 'atoms/samples-of-2^32-1-bytes',
    filename: 'video.mp4',
    make: ({ seed }) =>
      changeBoxes(seed('head-last.mp4'), [...sampleTable, 'stsz'], (payload) =>
        overwrite(payload, 4, be.u32(0xffffffff)),
      ),
    expected: readableOrNot,
  },
  {
    name: 'atoms/samples-beyond-the-end',
    filename: 'video.mp4',
    make: ({ seed }) =>
      changeBoxes(seed('head-last.mp4'), [...sampleTable, 'stco'], (payload) =>
        Buffer.concat([payload.subarray(0, 8), Buffer.alloc(payload.length - 8, 0xfe)]),
      ),
    expected: readableOrNot,
  },
  {
    name: 'atoms/compressed-head-that-claims-4-gigabytes',
    filename: 'video.mov',
    make: () => {
      const head = box('cmov', box('dcom', latin('zlib')), box('cmvd', be.u32(0xfffffff0), Buffer.alloc(64, 0x78)));
      return Buffer.concat([box('ftyp', latin('qt  '), be.u32(0), latin('qt  ')), box('moov', head)]);
    },
    expected: ['corrupt_media', 'resource_limit_exceeded'],
  },
  {
    name: 'atoms/fragments-that-go-back-to-the-first',
    filename: 'video.mp4',
    make: ({ seed }) => {
      const video = seed('fragmented.mp4');
      return Buffer.concat([
        video,
        video.subarray(offsetOf(video, 'moof') - 4),
        video.subarray(offsetOf(video, 'moof') - 4),
      ]);
    },
    expected: readableOrNot,
  },
  ...[2n ** 40n, 2n ** 55n, 2n ** 56n - 2n].flatMap((claimed): Recipe[] => [
    {
      name: `atoms/mkv-tracks-of-${claimed}-bytes`,
      filename: 'video.mkv',
      make: () =>
        Buffer.concat([
          header,
          elementWithSize('Segment', claimed, info(), elementWithSize('Tracks', claimed, audioTrack(1))),
        ]),
      expected: readableOrNot,
    },
    {
      name: `atoms/mkv-block-of-${claimed}-bytes`,
      filename: 'video.mkv',
      make: () =>
        Buffer.concat([
          header,
          elementWithSize(
            'Segment',
            claimed,
            ...[info(), element('Tracks', audioTrack(1)), cluster(0, block(1, 0, Buffer.alloc(1600, 1)))],
            elementWithSize(
              'Cluster',
              claimed,
              elementWithSize('SimpleBlock', claimed, Buffer.from([0x81, 0, 0, 0x80])),
            ),
          ),
        ]),
      expected: readableOrNot,
    },
  ]),
  {
    name: 'atoms/mkv-2000-clusters-in-each-other',
    filename: 'video.mkv',
    make: () => {
      const heads = Array.from({ length: 2000 }, () => elementWithSize('Cluster', 2n ** 50n));
      return Buffer.concat([
        header,
        elementWithSize('Segment', 2n ** 50n, info(), element('Tracks', audioTrack(1)), ...heads),
      ]);
    },
    expected: readableOrNot,
  },
  ...[0, 1, 2 ** 31, 2 ** 32 - 1].map(
    (claimed): Recipe => ({
      name: `atoms/wav-of-${claimed}-bytes`,
      filename: 'tone.wav',
      make: () =>
        Buffer.concat([
          chunkWithSize(
            'RIFF',
            claimed,
            latin('WAVE'),
            waveFormat({}),
            chunkWithSize('data', claimed, Buffer.alloc(16_000, 9)),
          ),
        ]),
      expected: readableOrNot,
    }),
  ),
  {
    name: 'atoms/avi-lists-in-each-other',
    filename: 'video.avi',
    make: () => {
      const heads = Array.from({ length: deep }, () =>
        Buffer.concat([latin('LIST'), le.u32(0x7fffffff), latin('hdrl')]),
      );
      return chunk('RIFF', latin('AVI '), ...heads);
    },
    expected: unreadable,
  },
  {
    name: 'atoms/flac-head-of-16-megabytes',
    filename: 'tone.flac',
    make: ({ seed }) => overwrite(seed('tone.flac'), 42, Buffer.from([0x84, 0xff, 0xff, 0xff])),
    expected: readableOrNot,
  },
];
