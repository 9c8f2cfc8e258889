import type { Recipe, SeedName, Verdict } from '../formats/recipe.ts';
import { randomOf } from '../formats/seeded-random.ts';

/** A damaged video may be refused, unreadable or still partly decodable. */
const damagedOutcomes: readonly Verdict[] = ['refused 415', 'complete', 'corrupt_media', 'unsupported_codec'];

/** If the header is damaged, its duration and size may be wrong too. */
const damagedHeaderOutcomes: readonly Verdict[] = [...damagedOutcomes, 'media_too_long', 'resource_limit_exceeded'];

const truncatedSeeds: SeedName[] = ['head-first.mp4', 'video.mkv', 'video.ts', 'tone.wav'];
const keptPercents = [1, 2, 3, 5, 8, 12, 17, 23, 30, 37, 45, 52, 60, 68, 75, 82, 88, 93, 96, 98, 99, 100];

export const truncatedFiles: Recipe[] = truncatedSeeds.flatMap((seed) =>
  keptPercents.map((percent) => ({
    name: `truncated/${seed}-${percent}%`,
    filename: seed,
    make: ({ seed: take }) => {
      const whole = take(seed);
      return whole.subarray(0, Math.round((whole.length * percent) / 100));
    },
    expected: percent === 100 ? ['complete'] : damagedOutcomes,
  })),
);

const flippedSeeds: SeedName[] = [
  ...(['head-last.mp4', 'fragmented.mp4', 'video.mkv', 'video.avi', 'video.mpg', 'video.ts', 'video.webm'] as const),
  ...(['tone.mp3', 'tone.flac', 'tone.ogg', 'moving.gif'] as const),
];
/** How many bits to flip, and in which share of the file: the header is small and more sensitive. */
const flipPlans: [count: number, share: number][] = [
  [1, 1],
  [4, 0.02],
  [16, 0.05],
  [16, 1],
  [64, 1],
  [256, 1],
  [1024, 1],
  [4096, 1],
];
/** The first bytes stay unchanged, otherwise the format would not be recognised. */
const signatureBytes = 12;

export const bitFlippedFiles: Recipe[] = flippedSeeds.flatMap((seed, row) =>
  flipPlans.map(([count, share], column) => ({
    name: `flipped/${seed}-${count}-of-${share * 100}%`,
    filename: seed,
    make: ({ seed: take }) => {
      const bytes = Buffer.from(take(seed));
      const random = randomOf(1000 * row + column);
      const last = Math.max(signatureBytes, Math.floor(bytes.length * share) - 1);
      for (let i = 0; i < count; i++) {
        const at = random.between(signatureBytes, last);
        bytes[at] = (bytes[at] as number) ^ (1 << random.between(0, 7));
      }
      return bytes;
    },
    expected: damagedHeaderOutcomes,
  })),
);

const kilobyte = 1024;
const third = (bytes: Buffer, n: number) => Math.floor((n * bytes.length) / 3);
/** Ways to remove, overwrite or reorder sections of a file. */
const sectionDamages: Record<string, (bytes: Buffer) => Uint8Array> = {
  'middle-missing': (bytes) => Buffer.concat([bytes.subarray(0, third(bytes, 1)), bytes.subarray(third(bytes, 2))]),
  'middle-zeroed': (bytes) => Buffer.from(bytes).fill(0, third(bytes, 1), third(bytes, 2)),
  'parts-swapped-after-the-header': (bytes) => {
    const [head, rest] = [bytes.subarray(0, kilobyte), bytes.subarray(kilobyte)];
    return Buffer.concat([head, rest.subarray(third(rest, 1)), rest.subarray(0, third(rest, 1))]);
  },
};

export const sectionDamagedFiles: Recipe[] = (
  ['head-first.mp4', 'video.mkv', 'video.ts', 'video.mxf', 'tone.flac'] as const
).flatMap((seed) =>
  Object.entries(sectionDamages).map(([name, change]) => ({
    name: `shuffled/${seed}-${name}`,
    filename: seed,
    make: ({ seed: take }) => change(take(seed)),
    expected: damagedOutcomes,
  })),
);
