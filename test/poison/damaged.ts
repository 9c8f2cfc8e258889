import { createRandom } from '../chaos/random.ts';
import type { Recipe, SeedName, Verdict } from './recipe.ts';

/** Whatever is left of a film may be none, or one that a decoder gets something out of. */
const damaged: readonly Verdict[] = ['refused 415', 'complete', 'corrupt_media', 'unsupported_codec'];

/** What says how long or how large it is may be hit as well. */
const hit: readonly Verdict[] = [...damaged, 'media_too_long', 'resource_limit_exceeded'];

const cut: SeedName[] = ['head-first.mp4', 'film.mkv', 'film.ts', 'tone.wav'];
const percents = [1, 2, 3, 5, 8, 12, 17, 23, 30, 37, 45, 52, 60, 68, 75, 82, 88, 93, 96, 98, 99, 100];

export const truncated: Recipe[] = cut.flatMap((seed) =>
  percents.map((percent) => ({
    name: `truncated/${seed}-${percent}%`,
    filename: seed,
    make: ({ seed: take }) => {
      const whole = take(seed);
      return whole.subarray(0, Math.round((whole.length * percent) / 100));
    },
    expected: percent === 100 ? ['complete'] : damaged,
  })),
);

const flippedSeeds: SeedName[] = [
  ...(['head-last.mp4', 'fragmented.mp4', 'film.mkv', 'film.avi', 'film.mpg', 'film.ts', 'film.webm'] as const),
  ...(['tone.mp3', 'tone.flac', 'tone.ogg', 'moving.gif'] as const),
];
/** How many bits, and how much of the file they may lie in: a head is small, and the more sensitive. */
const flips: [count: number, share: number][] = [
  [1, 1],
  [4, 0.02],
  [16, 0.05],
  [16, 1],
  [64, 1],
  [256, 1],
  [1024, 1],
  [4096, 1],
];
/** So much is left as it is, or nobody would take it for what it was. */
const markBytes = 12;

export const flipped: Recipe[] = flippedSeeds.flatMap((seed, row) =>
  flips.map(([count, share], column) => ({
    name: `flipped/${seed}-${count}-of-${share * 100}%`,
    filename: seed,
    make: ({ seed: take }) => {
      const bytes = Buffer.from(take(seed));
      const random = createRandom(1000 * row + column);
      const last = Math.max(markBytes, Math.floor(bytes.length * share) - 1);
      for (let i = 0; i < count; i++) {
        const at = random.between(markBytes, last);
        bytes[at] = (bytes[at] as number) ^ (1 << random.between(0, 7));
      }
      return bytes;
    },
    expected: hit,
  })),
);

const kilobyte = 1024;
const third = (bytes: Buffer, n: number) => Math.floor((n * bytes.length) / 3);
/** Stretches of a film in the wrong order, or gone. */
const shuffles: Record<string, (bytes: Buffer) => Uint8Array> = {
  'middle-missing': (bytes) => Buffer.concat([bytes.subarray(0, third(bytes, 1)), bytes.subarray(third(bytes, 2))]),
  'middle-zeroed': (bytes) => Buffer.from(bytes).fill(0, third(bytes, 1), third(bytes, 2)),
  'parts-swapped-behind-the-head': (bytes) => {
    const [head, rest] = [bytes.subarray(0, kilobyte), bytes.subarray(kilobyte)];
    return Buffer.concat([head, rest.subarray(third(rest, 1)), rest.subarray(0, third(rest, 1))]);
  },
};

export const shuffled: Recipe[] = (['head-first.mp4', 'film.mkv', 'film.ts', 'film.mxf', 'tone.flac'] as const).flatMap(
  (seed) =>
    Object.entries(shuffles).map(([name, change]) => ({
      name: `shuffled/${seed}-${name}`,
      filename: seed,
      make: ({ seed: take }) => change(take(seed)),
      expected: damaged,
    })),
);
