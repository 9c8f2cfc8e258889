import { be, latin, le, overwrite, plainCrc32, repeatBytes } from '../formats/bytes.ts';
import { addToBox, box, boxesOf, changeBoxes } from '../formats/iso-media.ts';
import { audioTrack, block, cluster, element, matroskaOf, text } from '../formats/matroska.ts';
import { changePage, pagesOf } from '../formats/ogg.ts';
import type { Recipe, Verdict } from '../formats/recipe.ts';
import { chunk, list, waveFormat } from '../formats/riff.ts';
import { fromSeed, type Row, recipesByFile } from '../formats/rows.ts';

const counts = [120, 255, 1000] as const;
const streamsMax = 200;
/** A file with more streams than a worker opens exceeds the limit; the others are valid. */
const expectedOutcomes = (count: number): readonly Verdict[] =>
  count > streamsMax ? ['resource_limit_exceeded', 'corrupt_media'] : ['complete'];

const audioTracks = (count: number) => {
  const numbers = Array.from({ length: count }, (_, i) => i + 1);
  const blocks = numbers.slice(0, 120).map((number) => block(number, 0, Buffer.alloc(1600, number)));
  const tracks = numbers.map((number) => audioTrack(number));
  return matroskaOf(tracks, cluster(0, ...blocks));
};

/** The video with this many copies of its last track. */
const movieOf = (video: Buffer, count: number) =>
  changeBoxes(video, ['moov'], (head) => {
    const boxes = boxesOf(head);
    const track = boxes.findLast(({ type }) => type === 'trak')?.payload ?? Buffer.alloc(0);
    const others = boxes.filter(({ type }) => type !== 'trak').map(({ whole }) => whole);
    const tracks = Array.from({ length: count }, (_, i) =>
      // In `tkhd` the track number follows version, flags and two timestamps.
      box(
        'trak',
        changeBoxes(track, ['tkhd'], (payload) => overwrite(payload, 12, be.u32(i + 1))),
      ),
    );
    return Buffer.concat([...others, ...tracks]);
  });

const oggOf = (audio: Buffer, count: number) => {
  const pages = pagesOf(audio);
  const serials = Array.from({ length: count }, (_, i) => i + 1);
  // The streams are multiplexed: all first pages, then all second pages, and so on.
  return Buffer.concat(pages.flatMap((page) => serials.map((serial) => changePage(page, { serial }))));
};

const streamHeader = (kind: string) =>
  chunk('strh', latin(kind), Buffer.alloc(16), le.u32(1, 8000, 0, 8000), Buffer.alloc(20));
const aviOf = (count: number) => {
  const stream = list('strl', streamHeader('auds'), chunk('strf', waveFormat({}).subarray(8)));
  const head = list(
    'hdrl',
    chunk('avih', Buffer.alloc(24), le.u32(count), Buffer.alloc(28)),
    ...Array(count).fill(stream),
  );
  const data = Array.from({ length: Math.min(99, count) }, (_, i) =>
    chunk(`${`${i}`.padStart(2, '0')}wb`, Buffer.alloc(1600, i)),
  );
  return chunk('RIFF', latin('AVI '), head, list('movi', ...data));
};

/** A transport stream whose program tables claim this many streams. */
const transportStreamOf = (video: Buffer, count: number) => {
  const perTable = 180;
  const tables = Array.from({ length: Math.ceil(count / perTable) }, (_, table) => table);
  const programmes = tables.map((table) => Buffer.concat([be.u16(table + 1), be.u16(0xe000 | (0x1000 + table))]));
  const packets = [section(0, 0x00, 1, Buffer.concat(programmes))];
  for (const table of tables) {
    const streams = Array.from({ length: Math.min(perTable, count - table * perTable) }, (_, i) =>
      Buffer.concat([Buffer.from([0x03]), be.u16(0xe000 | (0x100 + table * perTable + i)), be.u16(0xf000)]),
    );
    packets.push(section(0x1000 + table, 0x02, table + 1, Buffer.concat([be.u16(0xe100, 0xf000), ...streams])));
  }
  return Buffer.concat([...packets, video]);
};

/** A table of a transport stream, split into as many packets as necessary. */
function section(pid: number, table: number, id: number, body: Uint8Array): Buffer {
  const length = body.length + 9;
  const head = Buffer.concat([Buffer.from([table]), be.u16(0xb000 | length), be.u16(id), Buffer.from([0xc1, 0, 0])]);
  const whole = Buffer.concat([head, body]);
  const bytes = Buffer.concat([Buffer.from([0]), whole, be.u32(plainCrc32(whole, 0xffffffff))]);
  const packets: Buffer[] = [];
  for (let at = 0, n = 0; at < bytes.length; at += 184, n++) {
    const packet = Buffer.alloc(188, 0xff);
    packet.set([0x47, ((at === 0 ? 0x40 : 0) | (pid >> 8)) & 0xff, pid & 0xff, 0x10 | (n & 15)]);
    packet.set(bytes.subarray(at, at + 184), 4);
    packets.push(packet);
  }
  return Buffer.concat(packets);
}

const tags = element('Tags', repeatBytes(10_000, element('Tag', text('DocType', 'x'))));
const names = () => Array.from({ length: 20_000 }, (_, i) => box('\u00a9nam', be.u16(8, 0), latin(`${i}`.padStart(8))));

const rowsOfCounts = (format: string, rowOf: (count: number) => [make: Row[1], known: Row[2]]) =>
  counts.map((count): Row => [`${format}-${count}-streams`, ...rowOf(count)]);

export const manyStreams: Recipe[] = recipesByFile('many-streams', {
  'video.mkv': [
    ...rowsOfCounts('mkv', (count) => [() => audioTracks(count), expectedOutcomes(count)]),
    ['mkv-10000-tags', () => matroskaOf([audioTrack(1)], tags, cluster(0, block(1, 0, Buffer.alloc(1600, 5))))],
  ],
  'video.mp4': [
    ...rowsOfCounts('mp4', (count) => [
      fromSeed('head-last.mp4', (video) => movieOf(video, count)),
      { expected: expectedOutcomes(count), ...(count === 1000 && { isSlow: true }) },
    ]),
    [
      'mp4-20000-chapters-and-names',
      fromSeed('head-last.mp4', (video) => addToBox(video, ['moov'], box('udta', ...names()))),
    ],
  ],
  'tone.ogg': rowsOfCounts('ogg', (count) => [
    fromSeed('tone.ogg', (tone) => oggOf(tone, count)),
    [...expectedOutcomes(count), 'corrupt_media'],
  ]),
  'video.avi': rowsOfCounts('avi', (count) => [() => aviOf(count), [...expectedOutcomes(count), 'corrupt_media']]),
  // Streams without data are not opened.
  'video.ts': rowsOfCounts('ts', (count) => [
    fromSeed('video.ts', (video) => transportStreamOf(video, count)),
    ['complete', 'resource_limit_exceeded', 'corrupt_media'],
  ]),
});
