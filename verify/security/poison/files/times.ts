import { be, overwrite } from '../formats/bytes.ts';
import { changeBoxes, sampleTable } from '../formats/iso-media.ts';
import {
  audioTrack,
  block,
  cluster,
  element,
  float,
  info,
  matroska,
  matroskaOf,
  number,
  videoTrack,
} from '../formats/matroska.ts';
import type { Recipe } from '../formats/recipe.ts';
import { fromSeed, longOrHeavyOutcomes, longOrNotOutcomes, type Row, recipesByFile } from '../formats/rows.ts';

const samples = Buffer.alloc(1600, 5);
const frame = block(1, 0, samples);
const centurySeconds = 100 * 365.25 * 24 * 60 * 60;

const audio = (head: Uint8Array, ...clusters: Uint8Array[]) =>
  matroska(head, element('Tracks', audioTrack(1)), ...clusters);

/** A video with sound whose clusters are made from these blocks. */
const audioVisual = (clustersOf: (image: Uint8Array, sound: Uint8Array, still: Buffer) => Uint8Array[]) =>
  fromSeed('still.jpg', (still) =>
    matroskaOf([videoTrack(1), audioTrack(2)], ...clustersOf(block(1, 0, still), block(2, 0, samples), still)),
  );

/** A video with a different timescale and duration. */
const claimDuration = (timescale: number, duration: number) => {
  const write = (payload: Buffer) => overwrite(payload, 12, be.u32(timescale, duration));
  return fromSeed('head-last.mp4', (video) =>
    changeBoxes(changeBoxes(video, ['moov', 'mvhd'], write), ['moov', 'trak', 'mdia', 'mdhd'], write),
  );
};

const mkvs: Row[] = [
  [
    'mkv-that-claims-centuries',
    () => audio(info(float('Duration', 10 * centurySeconds * 1000)), cluster(0, frame)),
    ['media_too_long'],
  ],
  ...[Number.POSITIVE_INFINITY, Number.NaN, -1e12, 1e308].map(
    (duration): Row => [
      `mkv-that-claims-${duration}-milliseconds`,
      () => audio(info(float('Duration', duration)), cluster(0, frame)),
      { expected: longOrNotOutcomes, ...(duration < 0 && { isRegression: true }) },
    ],
  ),
  ...[0n, 1n, 2n ** 63n - 1n, 2n ** 64n - 1n].map(
    (scale): Row => [
      `mkv-with-a-unit-of-${scale}-nanoseconds`,
      () =>
        audio(
          element('Info', number('TimestampScale', scale)),
          ...[0, 100, 200].map((moment) => cluster(moment, frame)),
        ),
      longOrNotOutcomes,
    ],
  ),
  ['mkv-cluster-in-300-years', () => audio(info(), cluster(0, frame), cluster(2n ** 43n, frame)), longOrNotOutcomes],
  ['mkv-cluster-at-2^64-1', () => audio(info(), cluster(0, frame), cluster(2n ** 64n - 1n, frame)), longOrNotOutcomes],
  [
    'mkv-before-its-beginning',
    audioVisual((_image, _sound, still) => {
      const moments = [-32_768, -20_000, -100, 0, 40];
      return [cluster(0, ...moments.flatMap((ms) => [block(1, ms, still), block(2, ms, samples)]))];
    }),
    longOrNotOutcomes,
  ],
  [
    'mkv-backwards',
    audioVisual((...[image, sound]) => Array.from({ length: 40 }, (_, i) => cluster(40 * (40 - i), image, sound))),
    longOrNotOutcomes,
  ],
  [
    'mkv-back-and-forth',
    audioVisual((...[image, sound]) =>
      Array.from({ length: 40 }, (_, i) => cluster(i % 2 === 0 ? 40 * i : 1000 * 60 * 20, image, sound)),
    ),
    longOrNotOutcomes,
  ],
];

const claims = [
  [1, 0xffffffff],
  [0, 1500],
  [0xffffffff, 0xffffffff],
  [1, 6 * 60 * 60 - 1],
  [1000, 0],
] as const;
const mp4s: Row[] = [
  ...claims.map(
    ([timescale, duration]): Row => [
      `mp4-that-claims-${duration}-of-1/${timescale}-s`,
      claimDuration(timescale, duration),
      longOrNotOutcomes,
    ],
  ),
  [
    'mp4-frames-shown-before-they-are-decoded',
    fromSeed('head-last.mp4', (video) =>
      changeBoxes(video, [...sampleTable, 'ctts'], () => be.u32(0x01000000, 2, 10, 2 ** 31, 1000, 2 ** 31 - 1)),
    ),
    longOrNotOutcomes,
  ],
];

const withClock = (secondsAt: (share: number) => number) => fromSeed('video.ts', (video) => setClock(video, secondsAt));
const transportStreams: Row[] = [
  ['ts-whose-clock-wraps', withClock((share) => 95_443.7 - 0.75 + 1.5 * share), longOrNotOutcomes],
  ['ts-whose-clock-jumps-by-a-day', withClock((share) => (share < 0.5 ? 1 : 86_000) + share), longOrHeavyOutcomes],
  ['ts-whose-clock-stops', withClock(() => 10), longOrNotOutcomes],
  ['ts-whose-clock-runs-back', withClock((share) => 3600 * (1 - share)), longOrHeavyOutcomes],
];

/** Sets the clock, in seconds, in every packet of a transport stream that carries one. */
function setClock(video: Buffer, secondsAt: (share: number) => number): Buffer {
  const bytes = Buffer.from(video);
  for (let at = 0; at + 188 <= bytes.length; at += 188) {
    const start = bytes.indexOf(Buffer.from([0, 0, 1]), at + 4);
    const hasStart = ((bytes[at + 1] as number) & 0x40) !== 0 && start > 0 && start + 14 < at + 188;
    const hasTime = hasStart && ((bytes[start + 7] as number) & 0x80) !== 0;
    if (!hasTime) continue;
    const ticks = BigInt.asUintN(33, BigInt(Math.round(secondsAt(at / bytes.length) * 90_000)));
    const mark = (bytes[start + 9] as number) & 0xf0;
    bytes[start + 9] = mark | (Number(ticks >> 30n) << 1) | 1;
    bytes.writeUInt16BE((Number((ticks >> 15n) & 0x7fffn) << 1) | 1, start + 10);
    bytes.writeUInt16BE((Number(ticks & 0x7fffn) << 1) | 1, start + 12);
  }
  return bytes;
}

export const filesWithFalseTimes: Recipe[] = recipesByFile('times', {
  'video.mkv': mkvs,
  'video.mp4': mp4s,
  'video.ts': transportStreams,
});
