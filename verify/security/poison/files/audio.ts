import { be, latin, offsetOf, overwrite } from '../formats/bytes.ts';
import { changeBoxes, sampleTable } from '../formats/iso-media.ts';
import { audioTrack, block, cluster, element, info, matroska } from '../formats/matroska.ts';
import type { Recipe, Verdict } from '../formats/recipe.ts';
import { wave } from '../formats/riff.ts';

const samples = Buffer.from(Array.from({ length: 64_000 }, (_, i) => (i * 37) & 0xff));
const playableOrNot: readonly Verdict[] = ['complete', 'corrupt_media', 'unsupported_codec'];
const muchOrNot: readonly Verdict[] = [...playableOrNot, 'media_too_long', 'resource_limit_exceeded'];

const rates = [0, 1, 7, 1_000_000, 192_000_000, 2 ** 31 - 1, 2 ** 32 - 1];
const channelCounts = [0, 9, 64, 255, 65_535];
/** Channel counts that occur in valid files; they may exceed our limit, but the file is valid. */
const validChannels = [9, 64];
const manyOrNot: readonly Verdict[] = ['complete', 'unsupported_codec'];

/** An 80-bit extended float, AIFF's format of the sample rate. */
const extended = (exponent: number) => Buffer.concat([be.u16(16_383 + exponent), be.u32(0x80000000, 0)]);

export const audio: Recipe[] = [
  ...rates.map(
    (rate): Recipe => ({
      name: `audio/wav-of-${rate}-hertz`,
      filename: 'tone.wav',
      make: () => wave({ rate }, samples),
      expected: muchOrNot,
    }),
  ),
  ...rates.map(
    (rate): Recipe => ({
      name: `audio/mkv-of-${rate}-hertz`,
      filename: 'video.mkv',
      make: () => {
        const blocks = Array.from({ length: 4 }, (_, i) => block(1, 40 * i, samples.subarray(0, 1600)));
        return matroska(info(), element('Tracks', audioTrack(1, rate)), cluster(0, ...blocks));
      },
      ...(rate === 0 && { isRegression: true }),
      expected: muchOrNot,
    }),
  ),
  ...channelCounts.map(
    (channels): Recipe => ({
      name: `audio/wav-of-${channels}-channels`,
      filename: 'tone.wav',
      make: () => wave({ channels, blockBytes: (channels * 2) & 0xffff }, samples),
      ...(channels === 9 && { isRegression: true }),
      expected: validChannels.includes(channels) ? manyOrNot : playableOrNot,
    }),
  ),
  ...[9, 255].map(
    (channels): Recipe => ({
      name: `audio/mkv-of-${channels}-channels`,
      filename: 'video.mkv',
      make: () =>
        matroska(
          info(),
          element('Tracks', audioTrack(1, 8000, channels)),
          cluster(0, block(1, 0, samples.subarray(0, 51_000))),
        ),
      expected: validChannels.includes(channels) ? manyOrNot : playableOrNot,
    }),
  ),
  ...[0, 1, 13, 64, 65_535].map(
    (bits): Recipe => ({
      name: `audio/wav-of-${bits}-bits`,
      filename: 'tone.wav',
      make: () => wave({ bits, blockBytes: 2 }, samples),
      expected: playableOrNot,
    }),
  ),
  ...[0x11, 0x55, 0x161, 0x2000, 0xfffe, 0x6771].map(
    (format): Recipe => ({
      name: `audio/wav-that-claims-the-coding-0x${format.toString(16)}`,
      filename: 'tone.wav',
      make: () => wave({ format }, samples),
      expected: playableOrNot,
    }),
  ),
  {
    name: 'audio/ts-that-changes-to-stereo-and-48-kilohertz',
    filename: 'video.ts',
    make: ({ seed }) => Buffer.concat([seed('video.ts'), seed('stereo.ts')]),
    isRegression: true,
    expected: ['complete', 'unsupported_codec'],
  },
  {
    name: 'audio/ts-that-changes-its-channels-to-and-fro',
    filename: 'video.ts',
    make: ({ seed }) => Buffer.concat(Array(5).fill(Buffer.concat([seed('video.ts'), seed('stereo.ts')])) as Buffer[]),
    expected: ['complete', 'unsupported_codec'],
  },
  {
    name: 'audio/wav-of-numbers-that-are-none',
    filename: 'tone.wav',
    make: () => wave({ format: 3, bits: 32 }, Buffer.alloc(64_000, Buffer.from([0, 0, 0xc0, 0x7f]))),
    expected: playableOrNot,
  },
  {
    name: 'audio/wav-of-infinite-loudness',
    filename: 'tone.wav',
    make: () => wave({ format: 3, bits: 32 }, Buffer.alloc(64_000, Buffer.from([0, 0, 0x80, 0x7f]))),
    expected: playableOrNot,
  },
  {
    name: 'audio/wav-of-the-largest-numbers',
    filename: 'tone.wav',
    make: () =>
      wave(
        { format: 3, bits: 32 },
        Buffer.alloc(64_000, Buffer.from([0xff, 0xff, 0x7f, 0x7f, 0xff, 0xff, 0x7f, 0xff])),
      ),
    expected: playableOrNot,
  },
  ...[0, 40, 16_000].map(
    (exponent): Recipe => ({
      name: `audio/aiff-of-2^${exponent}-hertz`,
      filename: 'tone.aiff',
      make: ({ seed }) => overwrite(seed('tone.aiff'), offsetOf(seed('tone.aiff'), 'COMM') + 16, extended(exponent)),
      expected: muchOrNot,
    }),
  ),
  {
    name: 'audio/flac-of-655350-hertz-and-8-channels',
    filename: 'tone.flac',
    make: ({ seed }) => overwrite(seed('tone.flac'), 18, Buffer.from([0x9f, 0xff, 0x6f])),
    expected: muchOrNot,
  },
  {
    name: 'audio/mp4-of-65535-channels',
    filename: 'tone.m4a',
    make: ({ seed }) =>
      changeBoxes(seed('tone.m4a'), [...sampleTable, 'stsd'], (payload) =>
        overwrite(payload, payload.indexOf(latin('mp4a')) + 20, be.u16(65_535, 65_535)),
      ),
    expected: playableOrNot,
  },
];
