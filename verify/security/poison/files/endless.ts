import { be, offsetOf, overwrite, repeatBytes, u8 } from '../formats/bytes.ts';
import { addToBox, box, changeBoxes, fullBox, sampleTable } from '../formats/iso-media.ts';
import {
  audioTrack,
  block,
  cluster,
  element,
  elementOfUnknownSize,
  float,
  header,
  idOf,
  info,
  matroska,
  matroskaOf,
  number,
  videoTrack,
} from '../formats/matroska.ts';
import { changePage, pagesOf } from '../formats/ogg.ts';
import type { Recipe } from '../formats/recipe.ts';
import {
  fromSeed,
  longOrHeavyOutcomes,
  longOrNotOutcomes,
  type Row,
  readableOrNotOutcomes,
  recipesByFile,
} from '../formats/rows.ts';

const hourSeconds = 60 * 60;
const samples = Buffer.alloc(1600, 5);
const frame = block(1, 0, samples);
const video = 'head-last.mp4';

const changeTable = (table: string, payload: Buffer) =>
  fromSeed(video, (valid) => changeBoxes(valid, [...sampleTable, table], () => payload));

/** A video with these sample durations, in the track's time units. */
const withDurations = (...pairs: (readonly [count: number, units: number])[]) =>
  changeTable('stts', Buffer.concat([be.u32(0, pairs.length), ...pairs.map((pair) => be.u32(...pair))]));

const withEdits = (count: number, ...entry: number[]) =>
  fromSeed(video, (valid) => {
    const bare = changeBoxes(valid, ['moov', 'trak', 'edts'], () => null);
    const edits = fullBox('elst', be.u32(count), repeatBytes(count, be.u32(...entry)));
    return addToBox(bare, ['moov', 'trak'], box('edts', edits));
  });

/** A file with audio, a gap of this length without data, and audio again. */
const audioGap = (hours: number, rate = 8000, channels = 1) =>
  matroskaOf([audioTrack(1, rate, channels)], cluster(0, frame), cluster(hours * hourSeconds * 1000, frame));

const repeatedPages = (count: number, granule: (i: number) => bigint) =>
  fromSeed('tone.ogg', (audio) => {
    const pages = pagesOf(audio);
    const last = pages.at(-2) as Buffer;
    const more = Array.from({ length: count }, (_, i) =>
      changePage(last, { granule: granule(i), number: pages.length + i }),
    );
    return Buffer.concat([...pages.slice(0, -1), ...more]);
  });

const mp4s: Row[] = [
  ['mp4-2^31-samples-of-one-duration', withDurations([2 ** 31, 512]), longOrNotOutcomes],
  ['mp4-2^32-1-samples-of-no-duration', withDurations([2 ** 32 - 1, 0]), longOrNotOutcomes],
  ['mp4-samples-that-last-for-weeks', withDurations([2, 2 ** 31 - 1], [100, 512]), longOrNotOutcomes],
  ['mp4-of-negative-durations', withDurations([10, 2 ** 32 - 512], [100, 512]), longOrNotOutcomes],
  ['mp4-100000-entries-of-one-sample', withDurations(...Array<[1, 1]>(100_000).fill([1, 1])), longOrNotOutcomes],
  ['mp4-chunks-of-2^31-samples', changeTable('stsc', be.u32(0, 1, 1, 2 ** 31, 1)), readableOrNotOutcomes],
  ['mp4-2^32-1-samples-of-one-byte', changeTable('stsz', be.u32(0, 1, 2 ** 32 - 1)), longOrNotOutcomes],
  [
    'mp4-5000-edits-to-the-same-moment',
    withEdits(5000, 1500, 0, 0x10000),
    { isRegression: true, expected: ['media_too_long', 'resource_limit_exceeded'] },
  ],
  ['mp4-edit-of-no-length-and-rate', withEdits(3, 0, 0, 0), readableOrNotOutcomes],
  ['mp4-empty-edit-of-weeks', withEdits(1, 2 ** 31 - 1, 0xffffffff, 0x10000), longOrNotOutcomes],
  ['mp4-edit-before-the-beginning', withEdits(2, 1500, 0x80000000, 0x10000), longOrNotOutcomes],
];

const mkvs: Row[] = [
  ['mkv-clusters-of-unknown-size', () => clustersOfUnknownSize(50), readableOrNotOutcomes],
  ['mkv-whose-index-points-at-itself', () => indexOfItself(500), readableOrNotOutcomes],
  [
    'mkv-100000-empty-clusters',
    () => matroskaOf([audioTrack(1)], cluster(0, frame), repeatBytes(100_000, element('Cluster'))),
    readableOrNotOutcomes,
  ],
  [
    'mkv-clusters-all-at-the-same-moment',
    () => matroskaOf([audioTrack(1)], repeatBytes(3000, cluster(0, frame))),
    readableOrNotOutcomes,
  ],
  ...[1, 5, 24, 1000].map(
    (hours): Row => [`mkv-silence-of-${hours}-hours-in-3-kilobytes`, () => audioGap(hours), longOrHeavyOutcomes],
  ),
  ['mkv-silence-of-5-hours-at-192-kilohertz', () => audioGap(5, 192_000), longOrHeavyOutcomes],
  [
    'mkv-silence-of-24-hours-in-8-channels',
    () => audioGap(24, 24_000, 8),
    { isRegression: true, expected: ['media_too_long', 'resource_limit_exceeded'] },
  ],
  [
    'mkv-frames-5-hours-apart',
    fromSeed('still.jpg', (still) => {
      const clusters = [0, 5].map((hours) =>
        cluster(hours * hourSeconds * 1000, block(1, 0, still), block(2, 0, samples)),
      );
      return matroskaOf([videoTrack(1), audioTrack(2)], ...clusters);
    }),
    longOrNotOutcomes,
  ],
  ['mkv-that-claims-1-second-and-lasts-5-hours', () => claimsOneSecond(5), longOrHeavyOutcomes],
];

function clustersOfUnknownSize(count: number): Buffer {
  const clusters = Array.from({ length: count }, (_, i) =>
    elementOfUnknownSize('Cluster', number('Timestamp', 100 * i), frame),
  );
  const segment = elementOfUnknownSize('Segment', info(), element('Tracks', audioTrack(1)), ...clusters);
  return Buffer.concat([header, segment]);
}

function indexOfItself(count: number): Buffer {
  const seek = element('Seek', element('SeekID', idOf('SeekHead')), number('SeekPosition', 0));
  const index = element('SeekHead', repeatBytes(count, seek));
  return matroska(index, info(), element('Tracks', audioTrack(1)), cluster(0, frame));
}

function claimsOneSecond(hours: number): Buffer {
  const clusters = [cluster(0, frame), cluster(hours * hourSeconds * 1000, frame)];
  return matroska(info(float('Duration', 1000)), element('Tracks', audioTrack(1)), ...clusters);
}

const oggs: Row[] = [
  ['ogg-pages-that-repeat', repeatedPages(500, () => 44_100n), [...readableOrNotOutcomes, 'resource_limit_exceeded']],
  ['ogg-pages-that-run-away', repeatedPages(20, (i) => BigInt(i) * 44_100n * 3600n), longOrNotOutcomes],
  ['ogg-pages-that-go-back', repeatedPages(50, (i) => -BigInt(i) * 44_100n), longOrNotOutcomes],
  ['ogg-that-says-it-never-ends', repeatedPages(1, () => 2n ** 62n), longOrNotOutcomes],
];

const claimFrames = (audio: Buffer) =>
  overwrite(audio, offsetOf(audio, 'Info') + 4, be.u32(0xf, 2 ** 32 - 1, 2 ** 32 - 1));
const claimSamples = (audio: Buffer) => overwrite(audio, 21, u8((audio[21] as number) | 0x0f), be.u32(0xffffffff));

export const endlessFiles: Recipe[] = recipesByFile('endless', {
  'video.mp4': mp4s,
  'video.mkv': mkvs,
  'tone.ogg': oggs,
  'video.ts': [
    ['ts-the-same-second-50-times', fromSeed('video.ts', (video) => repeatBytes(50, video)), readableOrNotOutcomes],
  ],
  'tone.mp3': [['mp3-that-says-2^32-1-frames', fromSeed('tone.mp3', claimFrames), longOrNotOutcomes]],
  'tone.flac': [['flac-that-says-2^36-1-samples', fromSeed('tone.flac', claimSamples), longOrNotOutcomes]],
});
