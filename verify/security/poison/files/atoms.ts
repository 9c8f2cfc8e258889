import { be, latin, le, offsetOf, overwrite, repeatBytes, u8 } from '../formats/bytes.ts';
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
import { fromSeed, type Row, readableOrNotOutcomes, recipesByFile } from '../formats/rows.ts';

const nestingLevels = 10_000;
const unreadableOutcomes: readonly Verdict[] = ['corrupt_media'];

/** False sizes for the header of a box in the middle of a valid video. */
const falseSizes: Record<string, (type: string) => Uint8Array> = {
  '2^32-1': (type) => boxWithSize(type, 2 ** 32 - 1, Buffer.alloc(16)),
  '2^31': (type) => boxWithSize(type, 2 ** 31, Buffer.alloc(16)),
  '0': (type) => boxWithSize(type, 0, Buffer.alloc(16)),
  '1-and-nothing-after-it': (type) => boxWithSize(type, 1),
  '2': (type) => boxWithSize(type, 2, Buffer.alloc(16)),
  '7': (type) => boxWithSize(type, 7, Buffer.alloc(16)),
  '2^63': (type) => largeBoxWithSize(type, 2n ** 63n, Buffer.alloc(16)),
  '2^64-1': (type) => largeBoxWithSize(type, 2n ** 64n - 1n, Buffer.alloc(16)),
  '64-bit-of-0': (type) => largeBoxWithSize(type, 0n, Buffer.alloc(16)),
};

/** A valid video with this box added to one of its boxes. */
const withBox = (path: readonly string[], added: Uint8Array) =>
  fromSeed('head-last.mp4', (video) => addToBox(video, path, added));

/** A valid video whose first track has a different table of samples. */
const withTable = (table: string, change: (payload: Buffer) => Uint8Array) =>
  fromSeed('head-last.mp4', (video) => changeBoxes(video, [...sampleTable, table], change));

/** Nested boxes, each with the correct size in its header. */
const nested = (type: string) =>
  Buffer.concat(
    Array.from({ length: nestingLevels }, (_, i) => Buffer.concat([be.u32(8 * (nestingLevels - i)), latin(type)])),
  );
const metaInMeta = Array.from({ length: 2000 }).reduce<Buffer>((inner) => fullBox('meta', inner), Buffer.alloc(0));

const mp4s: Row[] = [
  ...Object.entries(falseSizes).flatMap(([size, write]): Row[] => [
    [`moov-of-${size}`, () => Buffer.concat([fileType, write('moov')]), unreadableOutcomes],
    [`trak-of-${size}-within-a-video`, withBox(['moov'], write('trak')), readableOrNotOutcomes],
  ]),
  ...['stts', 'stsc', 'stco', 'stss', 'ctts', 'stsd'].flatMap((table) =>
    [2 ** 32 - 1, 0x10000000].map(
      (count): Row => [
        `${table}-of-${count}-entries`,
        withTable(table, (payload) => overwrite(payload, 4, be.u32(count))),
        [...readableOrNotOutcomes, 'unsupported_codec', 'resource_limit_exceeded'],
      ],
    ),
  ),
  [`${nestingLevels}-moov-in-each-other`, () => Buffer.concat([fileType, nested('moov')]), readableOrNotOutcomes],
  [`${nestingLevels}-udta-in-each-other`, withBox(['moov'], nested('udta')), readableOrNotOutcomes],
  [`${nestingLevels}-trak-in-each-other`, withBox(['moov'], nested('trak')), readableOrNotOutcomes],
  ['meta-in-meta', withBox(['moov'], box('udta', metaInMeta)), readableOrNotOutcomes],
  [
    'samples-of-2^32-1-bytes',
    withTable('stsz', (payload) => overwrite(payload, 4, be.u32(0xffffffff))),
    readableOrNotOutcomes,
  ],
  ['samples-beyond-the-end', withTable('stco', (payload) => Buffer.from(payload).fill(0xfe, 8)), readableOrNotOutcomes],
  [
    'fragments-that-go-back-to-the-first',
    fromSeed('fragmented.mp4', (video) => {
      const fragments = video.subarray(offsetOf(video, 'moof') - 4);
      return Buffer.concat([video, fragments, fragments]);
    }),
    readableOrNotOutcomes,
  ],
];

function compressedHead(): Buffer {
  const head = box('cmov', box('dcom', latin('zlib')), box('cmvd', be.u32(0xfffffff0), Buffer.alloc(64, 0x78)));
  return Buffer.concat([box('ftyp', latin('qt  '), be.u32(0), latin('qt  ')), box('moov', head)]);
}

const segment = (claimed: bigint, ...parts: Uint8Array[]) =>
  Buffer.concat([header, elementWithSize('Segment', claimed, info(), ...parts)]);
const tracks = element('Tracks', audioTrack(1));
const validCluster = cluster(0, block(1, 0, Buffer.alloc(1600, 1)));
const clusterOf = (claimed: bigint) =>
  elementWithSize('Cluster', claimed, elementWithSize('SimpleBlock', claimed, u8(0x81, 0, 0, 0x80)));
const mkvs: Row[] = [
  ...[2n ** 40n, 2n ** 55n, 2n ** 56n - 2n].flatMap((claimed): Row[] => [
    [
      `mkv-tracks-of-${claimed}-bytes`,
      () => segment(claimed, elementWithSize('Tracks', claimed, audioTrack(1))),
      readableOrNotOutcomes,
    ],
    [
      `mkv-block-of-${claimed}-bytes`,
      () => segment(claimed, tracks, validCluster, clusterOf(claimed)),
      readableOrNotOutcomes,
    ],
  ]),
  [
    'mkv-2000-clusters-in-each-other',
    () => segment(2n ** 50n, tracks, repeatBytes(2000, elementWithSize('Cluster', 2n ** 50n))),
    readableOrNotOutcomes,
  ],
];

const waveOf = (claimed: number) =>
  chunkWithSize(
    'RIFF',
    claimed,
    latin('WAVE'),
    waveFormat({}),
    chunkWithSize('data', claimed, Buffer.alloc(16_000, 9)),
  );
const lists = repeatBytes(nestingLevels, Buffer.concat([latin('LIST'), le.u32(0x7fffffff), latin('hdrl')]));
const claimHead = (flac: Buffer) => overwrite(flac, 42, u8(0x84, 0xff, 0xff, 0xff));

export const atomFiles: Recipe[] = recipesByFile('atoms', {
  'video.mp4': mp4s,
  'video.mov': [
    ['compressed-head-that-claims-4-gigabytes', compressedHead, ['corrupt_media', 'resource_limit_exceeded']],
  ],
  'video.mkv': mkvs,
  'tone.wav': [0, 1, 2 ** 31, 2 ** 32 - 1].map((claimed) => [
    `wav-of-${claimed}-bytes`,
    () => waveOf(claimed),
    readableOrNotOutcomes,
  ]),
  'video.avi': [['avi-lists-in-each-other', () => chunk('RIFF', latin('AVI '), lists), unreadableOutcomes]],
  'tone.flac': [['flac-head-of-16-megabytes', fromSeed('tone.flac', claimHead), readableOrNotOutcomes]],
});
