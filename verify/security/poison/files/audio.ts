import { be, latin, offsetOf, overwrite, repeatBytes, u8 } from '../formats/bytes.ts';
import { changeBoxes, sampleTable } from '../formats/iso-media.ts';
import { audioTrack, block, cluster, matroskaOf } from '../formats/matroska.ts';
import type { Recipe, Verdict } from '../formats/recipe.ts';
import { wave } from '../formats/riff.ts';
import { fromSeed, type Row, recipesByFile } from '../formats/rows.ts';

const samples = Buffer.from(Array.from({ length: 64_000 }, (_, i) => (i * 37) & 0xff));
const playableOrNotOutcomes: readonly Verdict[] = ['complete', 'corrupt_media', 'unsupported_codec'];
const muchOrNotOutcomes: readonly Verdict[] = [...playableOrNotOutcomes, 'media_too_long', 'resource_limit_exceeded'];

const rates = [0, 1, 7, 1_000_000, 192_000_000, 2 ** 31 - 1, 2 ** 32 - 1];
/**
 * The expected outcomes for this number of channels: a file with up to 64 channels is valid, but may exceed our limit.
 */
const channelsOrNot = (channels: number): readonly Verdict[] =>
  [9, 64].includes(channels) ? ['complete', 'unsupported_codec'] : playableOrNotOutcomes;

/** Audio whose samples are floating-point numbers with these bytes. */
const floats = (...bytes: number[]) => wave({ format: 3, bits: 32 }, Buffer.alloc(64_000, u8(...bytes)));

const waves: Row[] = [
  ...rates.map((rate): Row => [`wav-of-${rate}-hertz`, () => wave({ rate }, samples), muchOrNotOutcomes]),
  ...[0, 9, 64, 255, 65_535].map(
    (channels): Row => [
      `wav-of-${channels}-channels`,
      () => wave({ channels, blockBytes: (channels * 2) & 0xffff }, samples),
      { expected: channelsOrNot(channels), ...(channels === 9 && { isRegression: true }) },
    ],
  ),
  ...[0, 1, 13, 64, 65_535].map(
    (bits): Row => [`wav-of-${bits}-bits`, () => wave({ bits, blockBytes: 2 }, samples), playableOrNotOutcomes],
  ),
  ...[0x11, 0x55, 0x161, 0x2000, 0xfffe, 0x6771].map(
    (format): Row => [
      `wav-that-claims-the-coding-0x${format.toString(16)}`,
      () => wave({ format }, samples),
      playableOrNotOutcomes,
    ],
  ),
  ['wav-of-numbers-that-are-none', () => floats(0, 0, 0xc0, 0x7f), playableOrNotOutcomes],
  ['wav-of-infinite-loudness', () => floats(0, 0, 0x80, 0x7f), playableOrNotOutcomes],
  ['wav-of-the-largest-numbers', () => floats(0xff, 0xff, 0x7f, 0x7f, 0xff, 0xff, 0x7f, 0xff), playableOrNotOutcomes],
];

const mkvs: Row[] = [
  ...rates.map((rate): Row => {
    const blocks = Array.from({ length: 4 }, (_, i) => block(1, 40 * i, samples.subarray(0, 1600)));
    return [
      `mkv-of-${rate}-hertz`,
      () => matroskaOf([audioTrack(1, rate)], cluster(0, ...blocks)),
      { expected: muchOrNotOutcomes, ...(rate === 0 && { isRegression: true }) },
    ];
  }),
  ...[9, 255].map(
    (channels): Row => [
      `mkv-of-${channels}-channels`,
      () => matroskaOf([audioTrack(1, 8000, channels)], cluster(0, block(1, 0, samples.subarray(0, 51_000)))),
      channelsOrNot(channels),
    ],
  ),
];

const changingOutcomes: readonly Verdict[] = ['complete', 'unsupported_codec'];
const transportStreams: Row[] = [
  [
    'ts-that-changes-to-stereo-and-48-kilohertz',
    ({ seed }) => Buffer.concat([seed('video.ts'), seed('stereo.ts')]),
    { isRegression: true, expected: changingOutcomes },
  ],
  [
    'ts-that-changes-its-channels-back-and-forth',
    ({ seed }) => repeatBytes(5, Buffer.concat([seed('video.ts'), seed('stereo.ts')])),
    changingOutcomes,
  ],
];

/** An 80-bit extended float, AIFF's format of the sample rate. */
const extended = (exponent: number) => Buffer.concat([be.u16(16_383 + exponent), be.u32(0x80000000, 0)]);
const aiffs = [0, 40, 16_000].map(
  (exponent): Row => [
    `aiff-of-2^${exponent}-hertz`,
    fromSeed('tone.aiff', (aiff) => overwrite(aiff, offsetOf(aiff, 'COMM') + 16, extended(exponent))),
    muchOrNotOutcomes,
  ],
);

const claimChannels = (m4a: Buffer) =>
  changeBoxes(m4a, [...sampleTable, 'stsd'], (payload) =>
    overwrite(payload, payload.indexOf(latin('mp4a')) + 20, be.u16(65_535, 65_535)),
  );
const claimRate = (flac: Buffer) => overwrite(flac, 18, u8(0x9f, 0xff, 0x6f));

export const audioFiles: Recipe[] = recipesByFile('audio', {
  'tone.wav': waves,
  'video.mkv': mkvs,
  'video.ts': transportStreams,
  'tone.aiff': aiffs,
  'tone.flac': [['flac-of-655350-hertz-and-8-channels', fromSeed('tone.flac', claimRate), muchOrNotOutcomes]],
  'tone.m4a': [['mp4-of-65535-channels', fromSeed('tone.m4a', claimChannels), playableOrNotOutcomes]],
});
