import { be, overwrite } from '../formats/bytes.ts';
import { changeBoxes } from '../formats/iso-media.ts';
import { audioTrack, block, cluster, element, float, info, matroska, number, videoTrack } from '../formats/matroska.ts';
import type { Recipe, Verdict } from '../formats/recipe.ts';

const samples = Buffer.alloc(1600, 5);
const century = 100 * 365.25 * 24 * 60 * 60;
const longOrNot: readonly Verdict[] = ['complete', 'corrupt_media', 'media_too_long'];

const audio = (...parts: Uint8Array[]) =>
  matroska(...parts.slice(0, 1), element('Tracks', audioTrack(1)), ...parts.slice(1));

/** The video with another timescale and duration. */
const claimDuration = (video: Buffer, timescale: number, duration: number) =>
  changeBoxes(
    changeBoxes(video, ['moov', 'mvhd'], (payload) => overwrite(payload, 12, be.u32(timescale, duration))),
    ['moov', 'trak', 'mdia', 'mdhd'],
    (payload) => overwrite(payload, 12, be.u32(timescale, duration)),
  );

/** Shifts the clock in every packet of a transport stream that carries one. */
const shiftClock = (video: Buffer, to: (seconds: number) => number) => {
  const bytes = Buffer.from(video);
  for (let at = 0; at + 188 <= bytes.length; at += 188) {
    const start = bytes.indexOf(Buffer.from([0, 0, 1]), at + 4);
    const hasStart = ((bytes[at + 1] as number) & 0x40) !== 0 && start > 0 && start + 14 < at + 188;
    const hasTime = hasStart && ((bytes[start + 7] as number) & 0x80) !== 0;
    if (!hasTime) continue;
    const ticks = BigInt.asUintN(33, BigInt(Math.round(to(at / bytes.length) * 90_000)));
    const mark = (bytes[start + 9] as number) & 0xf0;
    bytes[start + 9] = mark | (Number(ticks >> 30n) << 1) | 1;
    bytes.writeUInt16BE((Number((ticks >> 15n) & 0x7fffn) << 1) | 1, start + 10);
    bytes.writeUInt16BE((Number(ticks & 0x7fffn) << 1) | 1, start + 12);
  }
  return bytes;
};

export const times: Recipe[] = [
  {
    name: 'times/mkv-that-claims-centuries',
    filename: 'video.mkv',
    make: () => audio(info(float('Duration', 10 * century * 1000)), cluster(0, block(1, 0, samples))),
    expected: ['media_too_long'],
  },
  ...[Number.POSITIVE_INFINITY, Number.NaN, -1e12, 1e308].map(
    (duration): Recipe => ({
      name: `times/mkv-that-claims-${duration}-milliseconds`,
      filename: 'video.mkv',
      make: () => audio(info(float('Duration', duration)), cluster(0, block(1, 0, samples))),
      ...(duration < 0 && { isRegression: true }),
      expected: longOrNot,
    }),
  ),
  ...[0n, 1n, 2n ** 63n - 1n, 2n ** 64n - 1n].map(
    (scale): Recipe => ({
      name: `times/mkv-with-a-unit-of-${scale}-nanoseconds`,
      filename: 'video.mkv',
      make: () =>
        audio(
          element('Info', number('TimestampScale', scale)),
          ...[0, 100, 200].map((moment) => cluster(moment, block(1, 0, samples))),
        ),
      expected: longOrNot,
    }),
  ),
  {
    name: 'times/mkv-cluster-in-300-years',
    filename: 'video.mkv',
    make: () => audio(info(), cluster(0, block(1, 0, samples)), cluster(2n ** 43n, block(1, 0, samples))),
    expected: longOrNot,
  },
  {
    name: 'times/mkv-cluster-at-2^64-1',
    filename: 'video.mkv',
    make: () => audio(info(), cluster(0, block(1, 0, samples)), cluster(2n ** 64n - 1n, block(1, 0, samples))),
    expected: longOrNot,
  },
  {
    name: 'times/mkv-before-its-beginning',
    filename: 'video.mkv',
    make: ({ seed }) =>
      matroska(
        ...[info(), element('Tracks', videoTrack(1), audioTrack(2))],
        cluster(
          0,
          ...[-32_768, -20_000, -100, 0, 40].flatMap((ms) => [block(1, ms, seed('still.jpg')), block(2, ms, samples)]),
        ),
      ),
    expected: longOrNot,
  },
  {
    name: 'times/mkv-backwards',
    filename: 'video.mkv',
    make: ({ seed }) =>
      matroska(
        ...[info(), element('Tracks', videoTrack(1), audioTrack(2))],
        ...Array.from({ length: 40 }, (_, i) =>
          cluster(40 * (40 - i), block(1, 0, seed('still.jpg')), block(2, 0, samples)),
        ),
      ),
    expected: longOrNot,
  },
  {
    name: 'times/mkv-to-and-fro',
    filename: 'video.mkv',
    make: ({ seed }) =>
      matroska(
        ...[info(), element('Tracks', videoTrack(1), audioTrack(2))],
        ...Array.from({ length: 40 }, (_, i) =>
          cluster(i % 2 === 0 ? 40 * i : 1000 * 60 * 20, block(1, 0, seed('still.jpg')), block(2, 0, samples)),
        ),
      ),
    expected: longOrNot,
  },
  ...(
    [
      [1, 0xffffffff],
      [0, 1500],
      [0xffffffff, 0xffffffff],
      [1, 6 * 60 * 60 - 1],
      [1000, 0],
    ] as const
  ).map(
    ([timescale, duration]): Recipe => ({
      name: `times/mp4-that-claims-${duration}-of-1/${timescale}-s`,
      filename: 'video.mp4',
      make: ({ seed }) => claimDuration(seed('head-last.mp4'), timescale, duration),
      expected: longOrNot,
    }),
  ),
  {
    name: 'times/mp4-frames-shown-before-they-are-decoded',
    filename: 'video.mp4',
    make: ({ seed }) =>
      changeBoxes(seed('head-last.mp4'), ['moov', 'trak', 'mdia', 'minf', 'stbl', 'ctts'], () =>
        be.u32(0x01000000, 2, 10, 2 ** 31, 1000, 2 ** 31 - 1),
      ),
    expected: longOrNot,
  },
  {
    name: 'times/ts-whose-clock-wraps',
    filename: 'video.ts',
    make: ({ seed }) => shiftClock(seed('video.ts'), (share) => 95_443.7 - 0.75 + 1.5 * share),
    expected: longOrNot,
  },
  {
    name: 'times/ts-whose-clock-jumps-by-a-day',
    filename: 'video.ts',
    make: ({ seed }) => shiftClock(seed('video.ts'), (share) => (share < 0.5 ? 1 : 86_000) + share),
    expected: [...longOrNot, 'resource_limit_exceeded'],
  },
  {
    name: 'times/ts-whose-clock-stops',
    filename: 'video.ts',
    make: ({ seed }) => shiftClock(seed('video.ts'), () => 10),
    expected: longOrNot,
  },
  {
    name: 'times/ts-whose-clock-runs-back',
    filename: 'video.ts',
    make: ({ seed }) => shiftClock(seed('video.ts'), (share) => 3600 * (1 - share)),
    expected: [...longOrNot, 'resource_limit_exceeded'],
  },
];
