import { be, latin, overwrite } from '../formats/bytes.ts';
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
  number,
  videoTrack,
} from '../formats/matroska.ts';
import { changePage, pagesOf } from '../formats/ogg.ts';
import type { Recipe, Verdict } from '../formats/recipe.ts';

const hour = 60 * 60;
const readableOrNot: readonly Verdict[] = ['complete', 'corrupt_media'];
const longOrNot: readonly Verdict[] = ['complete', 'corrupt_media', 'media_too_long'];
const samples = Buffer.alloc(1600, 5);

/** The video with these sample durations, in the track's time units. */
const withDurations = (video: Buffer, ...pairs: [count: number, units: number][]) =>
  changeBoxes(video, [...sampleTable, 'stts'], () =>
    Buffer.concat([be.u32(0, pairs.length), ...pairs.map((pair) => be.u32(...pair))]),
  );

const withEdits = (video: Buffer, count: number, entry: Uint8Array) => {
  const bare = changeBoxes(video, ['moov', 'trak', 'edts'], () => null);
  const edits = fullBox('elst', be.u32(count), ...(Array(count).fill(entry) as Uint8Array[]));
  return addToBox(bare, ['moov', 'trak'], box('edts', edits));
};

/** Audio, a gap of this length without any data, audio again. */
const gap = (milliseconds: number, rate = 8000, channels = 1) =>
  matroska(
    info(),
    element('Tracks', audioTrack(1, rate, channels)),
    cluster(0, block(1, 0, samples)),
    cluster(milliseconds, block(1, 0, samples)),
  );

const repeatedPages = (audio: Buffer, count: number, granule: (i: number) => bigint) => {
  const pages = pagesOf(audio);
  const last = pages.at(-2) as Buffer;
  const more = Array.from({ length: count }, (_, i) =>
    changePage(last, { granule: granule(i), number: pages.length + i }),
  );
  return Buffer.concat([...pages.slice(0, -1), ...more]);
};

export const endless: Recipe[] = [
  {
    name: 'endless/mp4-2^31-samples-of-one-duration',
    filename: 'video.mp4',
    make: ({ seed }) => withDurations(seed('head-last.mp4'), [2 ** 31, 512]),
    expected: longOrNot,
  },
  {
    name: 'endless/mp4-2^32-1-samples-of-no-duration',
    filename: 'video.mp4',
    make: ({ seed }) => withDurations(seed('head-last.mp4'), [2 ** 32 - 1, 0]),
    expected: longOrNot,
  },
  {
    name: 'endless/mp4-samples-that-last-for-weeks',
    filename: 'video.mp4',
    make: ({ seed }) => withDurations(seed('head-last.mp4'), [2, 2 ** 31 - 1], [100, 512]),
    expected: longOrNot,
  },
  {
    name: 'endless/mp4-of-negative-durations',
    filename: 'video.mp4',
    make: ({ seed }) => withDurations(seed('head-last.mp4'), [10, 2 ** 32 - 512], [100, 512]),
    expected: longOrNot,
  },
  {
    name: 'endless/mp4-100000-entries-of-one-sample',
    filename: 'video.mp4',
    make: ({ seed }) =>
      withDurations(seed('head-last.mp4'), ...Array.from({ length: 100_000 }, (): [number, number] => [1, 1])),
    expected: longOrNot,
  },
  {
    name: 'endless/mp4-chunks-of-2^31-samples',
    filename: 'video.mp4',
    make: ({ seed }) => changeBoxes(seed('head-last.mp4'), [...sampleTable, 'stsc'], () => be.u32(0, 1, 1, 2 ** 31, 1)),
    expected: readableOrNot,
  },
  {
    name: 'endless/mp4-2^32-1-samples-of-one-byte',
    filename: 'video.mp4',
    make: ({ seed }) => changeBoxes(seed('head-last.mp4'), [...sampleTable, 'stsz'], () => be.u32(0, 1, 2 ** 32 - 1)),
    expected: longOrNot,
  },
  {
    name: 'endless/mp4-5000-edits-to-the-same-moment',
    filename: 'video.mp4',
    make: ({ seed }) => withEdits(seed('head-last.mp4'), 5000, be.u32(1500, 0, 0x10000)),
    isRegression: true,
    expected: ['media_too_long', 'resource_limit_exceeded'],
  },
  {
    name: 'endless/mp4-edit-of-no-length-and-rate',
    filename: 'video.mp4',
    make: ({ seed }) => withEdits(seed('head-last.mp4'), 3, be.u32(0, 0, 0)),
    expected: readableOrNot,
  },
  {
    name: 'endless/mp4-empty-edit-of-weeks',
    filename: 'video.mp4',
    make: ({ seed }) => withEdits(seed('head-last.mp4'), 1, be.u32(2 ** 31 - 1, 0xffffffff, 0x10000)),
    expected: longOrNot,
  },
  {
    name: 'endless/mp4-edit-before-the-beginning',
    filename: 'video.mp4',
    make: ({ seed }) => withEdits(seed('head-last.mp4'), 2, be.u32(1500, 0x80000000, 0x10000)),
    expected: longOrNot,
  },
  {
    name: 'endless/mkv-clusters-of-unknown-size',
    filename: 'video.mkv',
    make: () =>
      Buffer.concat([
        header,
        elementOfUnknownSize(
          'Segment',
          ...[info(), element('Tracks', audioTrack(1))],
          ...Array.from({ length: 50 }, (_, i) =>
            elementOfUnknownSize('Cluster', number('Timestamp', 100 * i), block(1, 0, samples)),
          ),
        ),
      ]),
    expected: readableOrNot,
  },
  {
    name: 'endless/mkv-whose-index-points-at-itself',
    filename: 'video.mkv',
    make: () =>
      matroska(
        element(
          'SeekHead',
          ...Array.from({ length: 500 }, () =>
            element('Seek', element('SeekID', idOf('SeekHead')), number('SeekPosition', 0)),
          ),
        ),
        ...[info(), element('Tracks', audioTrack(1)), cluster(0, block(1, 0, samples))],
      ),
    expected: readableOrNot,
  },
  {
    name: 'endless/mkv-100000-empty-clusters',
    filename: 'video.mkv',
    make: () =>
      matroska(
        ...[info(), element('Tracks', audioTrack(1)), cluster(0, block(1, 0, samples))],
        Buffer.concat(Array(100_000).fill(element('Cluster')) as Buffer[]),
      ),
    expected: readableOrNot,
  },
  {
    name: 'endless/mkv-clusters-all-at-the-same-moment',
    filename: 'video.mkv',
    make: () =>
      matroska(
        info(),
        element('Tracks', audioTrack(1)),
        ...(Array(3000).fill(cluster(0, block(1, 0, samples))) as Buffer[]),
      ),
    expected: readableOrNot,
  },
  ...[hour, 5 * hour, 24 * hour, 1000 * hour].map(
    (seconds): Recipe => ({
      name: `endless/mkv-silence-of-${seconds / hour}-hours-in-3-kilobytes`,
      filename: 'video.mkv',
      make: () => gap(seconds * 1000),
      expected: [...longOrNot, 'resource_limit_exceeded'],
    }),
  ),
  {
    name: 'endless/mkv-silence-of-5-hours-at-192-kilohertz',
    filename: 'video.mkv',
    make: () => gap(5 * hour * 1000, 192_000),
    expected: [...longOrNot, 'resource_limit_exceeded'],
  },
  {
    name: 'endless/mkv-silence-of-24-hours-in-8-channels',
    filename: 'video.mkv',
    make: () => gap(24 * hour * 1000, 24_000, 8),
    isRegression: true,
    expected: ['media_too_long', 'resource_limit_exceeded'],
  },
  {
    name: 'endless/mkv-frames-5-hours-apart',
    filename: 'video.mkv',
    make: ({ seed }) =>
      matroska(
        ...[info(), element('Tracks', videoTrack(1), audioTrack(2))],
        cluster(0, block(1, 0, seed('still.jpg')), block(2, 0, samples)),
        cluster(5 * hour * 1000, block(1, 0, seed('still.jpg')), block(2, 0, samples)),
      ),
    expected: longOrNot,
  },
  {
    name: 'endless/mkv-that-claims-1-second-and-lasts-5-hours',
    filename: 'video.mkv',
    make: () =>
      matroska(
        ...[info(float('Duration', 1000)), element('Tracks', audioTrack(1)), cluster(0, block(1, 0, samples))],
        cluster(5 * hour * 1000, block(1, 0, samples)),
      ),
    expected: [...longOrNot, 'resource_limit_exceeded'],
  },
  {
    name: 'endless/ogg-pages-that-repeat',
    filename: 'tone.ogg',
    make: ({ seed }) => repeatedPages(seed('tone.ogg'), 500, () => 44_100n),
    expected: [...readableOrNot, 'resource_limit_exceeded'],
  },
  {
    name: 'endless/ogg-pages-that-run-away',
    filename: 'tone.ogg',
    make: ({ seed }) => repeatedPages(seed('tone.ogg'), 20, (i) => BigInt(i) * 44_100n * 3600n),
    expected: longOrNot,
  },
  {
    name: 'endless/ogg-pages-that-go-back',
    filename: 'tone.ogg',
    make: ({ seed }) => repeatedPages(seed('tone.ogg'), 50, (i) => -BigInt(i) * 44_100n),
    expected: longOrNot,
  },
  {
    name: 'endless/ogg-that-says-it-never-ends',
    filename: 'tone.ogg',
    make: ({ seed }) => repeatedPages(seed('tone.ogg'), 1, () => 2n ** 62n),
    expected: longOrNot,
  },
  {
    name: 'endless/ts-the-same-second-50-times',
    filename: 'video.ts',
    make: ({ seed }) => Buffer.concat(Array(50).fill(seed('video.ts')) as Buffer[]),
    expected: readableOrNot,
  },
  {
    name: 'endless/mp3-that-says-2^32-1-frames',
    filename: 'tone.mp3',
    make: ({ seed }) => {
      const audio = seed('tone.mp3');
      const at = audio.indexOf(latin('Info'));
      return at < 0 ? audio : overwrite(audio, at + 4, be.u32(0xf, 2 ** 32 - 1, 2 ** 32 - 1));
    },
    expected: longOrNot,
  },
  {
    name: 'endless/flac-that-says-2^36-1-samples',
    filename: 'tone.flac',
    make: ({ seed }) => {
      const audio = Buffer.from(seed('tone.flac'));
      audio[21] = (audio[21] as number) | 0x0f;
      return overwrite(audio, 22, be.u32(0xffffffff));
    },
    expected: longOrNot,
  },
];
