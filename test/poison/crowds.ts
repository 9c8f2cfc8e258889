import { be, latin, le, overwrite } from './bytes.ts';
import { box, boxesOf, changeBoxes } from './iso-media.ts';
import { block, cluster, element, info, matroska, soundTrack, text } from './matroska.ts';
import { changePage, pagesOf } from './ogg.ts';
import type { Recipe, Verdict } from './recipe.ts';
import { chunk, list, waveFormat } from './riff.ts';

const counts = [120, 255, 1000] as const;
const streamsMax = 200;
/** What has more streams than are opened is too much; nothing is wrong with the others. */
const expected = (count: number): readonly Verdict[] =>
  count > streamsMax ? ['resource_limit_exceeded', 'corrupt_media'] : ['complete'];

const crowdedMatroska = (count: number) => {
  const numbers = Array.from({ length: count }, (_, i) => i + 1);
  const blocks = numbers.slice(0, 120).map((number) => block(number, 0, Buffer.alloc(1600, number)));
  return matroska(info(), element('Tracks', ...numbers.map((number) => soundTrack(number))), cluster(0, ...blocks));
};

/** The film with its last track that many times. */
const crowdedMovie = (film: Buffer, count: number) =>
  changeBoxes(film, ['moov'], (head) => {
    const boxes = boxesOf(head);
    const track = boxes.findLast(({ type }) => type === 'trak')?.payload ?? Buffer.alloc(0);
    const others = boxes.filter(({ type }) => type !== 'trak').map(({ whole }) => whole);
    const tracks = Array.from({ length: count }, (_, i) =>
      // In `tkhd` the number stands behind version, flags and two times.
      box(
        'trak',
        changeBoxes(track, ['tkhd'], (payload) => overwrite(payload, 12, be.u32(i + 1))),
      ),
    );
    return Buffer.concat([...others, ...tracks]);
  });

const crowdedOgg = (sound: Buffer, count: number) => {
  const pages = pagesOf(sound);
  const serials = Array.from({ length: count }, (_, i) => i + 1);
  // All first pages, then all second ones: a file of streams that are played together.
  return Buffer.concat(pages.flatMap((page) => serials.map((serial) => changePage(page, { serial }))));
};

const streamHeader = (kind: string) =>
  chunk('strh', latin(kind), Buffer.alloc(16), le.u32(1, 8000, 0, 8000), Buffer.alloc(20));
const crowdedAvi = (count: number) => {
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

/** A table of programmes that says there are so many streams. */
const crowdedTransport = (film: Buffer, count: number) => {
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
  return Buffer.concat([...packets, film]);
};

/** A table of a transport stream over as many packets as it takes. */
function section(pid: number, table: number, id: number, body: Uint8Array): Buffer {
  const length = body.length + 9;
  const head = Buffer.concat([Buffer.from([table]), be.u16(0xb000 | length), be.u16(id), Buffer.from([0xc1, 0, 0])]);
  const whole = Buffer.concat([head, body]);
  const bytes = Buffer.concat([Buffer.from([0]), whole, be.u32(checksumOf(whole))]);
  const packets: Buffer[] = [];
  for (let at = 0, n = 0; at < bytes.length; at += 184, n++) {
    const packet = Buffer.alloc(188, 0xff);
    packet.set([0x47, ((at === 0 ? 0x40 : 0) | (pid >> 8)) & 0xff, pid & 0xff, 0x10 | (n & 15)]);
    packet.set(bytes.subarray(at, at + 184), 4);
    packets.push(packet);
  }
  return Buffer.concat(packets);
}

function checksumOf(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum = (sum ^ (byte << 24)) >>> 0;
    for (let bit = 0; bit < 8; bit++) sum = (sum & 0x80000000 ? (sum << 1) ^ 0x04c11db7 : sum << 1) >>> 0;
  }
  return sum;
}

export const crowds: Recipe[] = [
  ...counts.flatMap((count): Recipe[] => [
    {
      name: `crowds/mkv-${count}-streams`,
      filename: 'film.mkv',
      make: () => crowdedMatroska(count),
      expected: expected(count),
    },
    {
      name: `crowds/mp4-${count}-streams`,
      filename: 'film.mp4',
      make: ({ seed }) => crowdedMovie(seed('head-last.mp4'), count),
      ...(count === 1000 && { isSlow: true }),
      expected: expected(count),
    },
    {
      name: `crowds/ogg-${count}-streams`,
      filename: 'tone.ogg',
      make: ({ seed }) => crowdedOgg(seed('tone.ogg'), count),
      expected: [...expected(count), 'corrupt_media'],
    },
    {
      name: `crowds/avi-${count}-streams`,
      filename: 'film.avi',
      make: () => crowdedAvi(count),
      expected: [...expected(count), 'corrupt_media'],
    },
    {
      name: `crowds/ts-${count}-streams`,
      filename: 'film.ts',
      make: ({ seed }) => crowdedTransport(seed('film.ts'), count),
      // Streams that never come are not opened.
      expected: ['complete', 'resource_limit_exceeded', 'corrupt_media'],
    },
  ]),
  {
    name: 'crowds/mkv-10000-tags',
    filename: 'film.mkv',
    make: () =>
      matroska(
        info(),
        element('Tracks', soundTrack(1)),
        element('Tags', ...Array.from({ length: 10_000 }, () => element('Tag', text('DocType', 'x')))),
        cluster(0, block(1, 0, Buffer.alloc(1600, 5))),
      ),
    expected: ['complete'],
  },
  {
    name: 'crowds/mp4-20000-chapters-and-names',
    filename: 'film.mp4',
    make: ({ seed }) => {
      const names = Array.from({ length: 20_000 }, (_, i) => box('\u00a9nam', be.u16(8, 0), latin(`${i}`.padStart(8))));
      return changeBoxes(seed('head-last.mp4'), ['moov'], (head) => Buffer.concat([head, box('udta', ...names)]));
    },
    expected: ['complete'],
  },
];
