import { be, latin, offsetOf, u8 } from '../formats/bytes.ts';
import { addToBox, box, changeBoxes, fileType, fullBox } from '../formats/iso-media.ts';
import { block, cluster, element, info, matroska, number, text, videoTrack } from '../formats/matroska.ts';
import type { Fixture, Recipe } from '../formats/recipe.ts';
import { list, wave } from '../formats/riff.ts';

/** A video whose samples are in other files. */
const withReferences = (video: Buffer, ...references: Uint8Array[]) =>
  changeBoxes(video, ['moov', 'trak', 'mdia', 'minf', 'dinf', 'dref'], () =>
    Buffer.concat([be.u32(0), be.u32(references.length), ...references]),
  );

const playlist = ({ listener, canary }: Fixture) =>
  latin(`#EXTM3U\n#EXTINF:1,\nhttp://${listener}/x.ts\n#EXTINF:1,\n${canary}\n`);

/** A Finder alias: volume, folder and name of another file, as QuickTime followed them. */
const alias = (path: string) => {
  const name = path.slice(1).replaceAll('/', ':');
  const record = Buffer.alloc(150);
  record.writeUInt16BE(2, 4);
  record[10] = 0;
  record[50] = Math.min(63, name.length);
  record.write(name.slice(0, 63), 51, 'latin1');
  const full = latin(`x:${name}`);
  const tail = Buffer.concat([be.u16(2, full.length), full, Buffer.alloc(full.length % 2), be.u16(0xffff, 0)]);
  return Buffer.concat([be.u32(0), record, tail]);
};

/** A picture tag of ID3 or FLAC without an image: `-->` marks its bytes as a URL. */
const linkedCover = (listener: string) => {
  const address = `http://${listener}/cover.jpg`;
  return Buffer.concat([u8(0), latin('-->\0'), u8(3, 0), latin(address)]);
};
const id3Frame = (id: string, payload: Buffer) =>
  Buffer.concat([latin(id), be.u32(payload.length), be.u16(0), payload]);
const id3 = (...frames: Buffer[]) => {
  const body = Buffer.concat(frames);
  const sevenBits = [21, 14, 7, 0].map((shift) => (body.length >> shift) & 0x7f);
  return Buffer.concat([latin('ID3'), u8(3, 0, 0, ...sevenBits), body]);
};
const sized = (bytes: Buffer) => Buffer.concat([be.u32(bytes.length), bytes]);

const referenceMovie = (address: string) =>
  Buffer.concat([
    box('ftyp', latin('qt  '), be.u32(512), latin('qt  ')),
    box('moov', box('rmra', box('rmda', fullBox('rdrf', latin('url '), sized(latin(`${address}\0`)))))),
  ]);

const transportPacket = (payload: Buffer, i: number) => {
  const packet = Buffer.alloc(188, 0xff);
  packet.set([0x47, 0x41, 0x00, 0x10 | (i & 15)]);
  packet.set(payload.subarray(0, 184), 4);
  return packet;
};

export const references: Recipe[] = [
  ...(['file', 'http', 'https', 'tcp', 'udp', 'ftp', 'rtmp', 'data', 'subfile', 'concat', 'pipe'] as const).map(
    (scheme): Recipe => ({
      name: `references/mp4-samples-by-${scheme}`,
      filename: 'video.mp4',
      make: ({ seed, listener, canary }) => {
        const isLocal = ['file', 'subfile', 'concat'].includes(scheme);
        const address = isLocal ? `${scheme}:${canary}` : `${scheme}://${listener}/a.mp4`;
        return withReferences(seed('head-last.mp4'), fullBox('url ', latin(`${address}\0`)));
      },
      expected: ['complete', 'corrupt_media'],
    }),
  ),
  {
    name: 'references/mov-samples-by-alias',
    filename: 'video.mov',
    make: ({ seed, canary }) => withReferences(seed('video.mov'), box('alis', alias(canary))),
    expected: ['complete', 'corrupt_media'],
  },
  {
    name: 'references/mov-samples-by-urn-and-resource',
    filename: 'video.mov',
    make: ({ seed, canary }) =>
      withReferences(seed('video.mov'), fullBox('urn ', latin(`x\0${canary}\0`)), fullBox('rsrc', latin(canary))),
    expected: ['complete', 'corrupt_media'],
  },
  ...(['http', 'rtsp'] as const).map(
    (scheme): Recipe => ({
      name: `references/mov-that-is-only-a-reference-by-${scheme}`,
      filename: 'video.mov',
      make: ({ listener }) => referenceMovie(`${scheme}://${listener}/video.mov`),
      expected: ['corrupt_media'],
    }),
  ),
  {
    name: 'references/mov-reference-beside-a-video',
    filename: 'video.mov',
    make: ({ seed, listener }) =>
      addToBox(seed('video.mov'), ['moov'], box('rmra', referenceMovie(`http://${listener}/`).subarray(8))),
    expected: ['complete'],
  },
  {
    name: 'references/mkv-of-linked-segments',
    filename: 'video.mkv',
    make: ({ seed, canary }) =>
      matroska(
        info(
          ...[text('SegmentFilename', canary), text('PrevFilename', canary), text('NextFilename', canary)],
          element('NextUID', Buffer.alloc(16, 9)),
        ),
        element('Tracks', videoTrack(1)),
        cluster(0, block(1, 0, seed('still.jpg')), block(1, 40, seed('still.jpg'))),
      ),
    expected: ['complete'],
  },
  {
    name: 'references/mkv-with-playlists-attached',
    filename: 'video.mkv',
    make: (fixture) =>
      matroska(
        info(),
        element('Tracks', videoTrack(1)),
        element(
          'Attachments',
          ...['video/mp2t', 'application/x-mpegURL', 'font/ttf'].map((type, i) =>
            element(
              'AttachedFile',
              ...[text('FileName', `../../..${fixture.canary}`), text('FileMimeType', type), number('FileUID', i + 1)],
              element('FileData', playlist(fixture)),
            ),
          ),
        ),
        cluster(0, block(1, 0, fixture.seed('still.jpg')), block(1, 40, fixture.seed('still.jpg'))),
      ),
    expected: ['complete'],
  },
  {
    name: 'references/mkv-whose-frames-are-a-playlist',
    filename: 'video.mkv',
    make: (fixture) => matroska(info(), element('Tracks', videoTrack(1)), cluster(0, block(1, 0, playlist(fixture)))),
    expected: ['corrupt_media', 'complete'],
  },
  {
    name: 'references/playlist-inside-a-transport-stream',
    filename: 'video.ts',
    make: (fixture) => {
      const text = Buffer.concat(Array.from({ length: 40 }, () => playlist(fixture)));
      const packets = Array.from({ length: 20 }, (_, i) => transportPacket(text.subarray(184 * i), i));
      return Buffer.concat([fixture.seed('video.ts'), ...packets]);
    },
    expected: ['complete'],
  },
  {
    name: 'references/transport-stream-of-nothing-but-a-playlist',
    filename: 'video.ts',
    make: (fixture) => Buffer.concat(Array.from({ length: 50 }, (_, i) => transportPacket(playlist(fixture), i))),
    expected: ['corrupt_media', 'refused 415'],
  },
  {
    name: 'references/mp4-mark-and-an-image-sequence',
    filename: 'video.mp4',
    make: ({ canary }) =>
      Buffer.concat([fileType, box('mdat', latin(`${canary}%03d.jpg`)), latin('%d.jpg\n'.repeat(99))]),
    expected: ['corrupt_media'],
  },
  {
    name: 'references/mp3-with-a-cover-elsewhere',
    filename: 'tone.mp3',
    make: ({ seed, listener }) => {
      const link = Buffer.concat([u8(0), latin(`x\0http://${listener}/`)]);
      return Buffer.concat([
        id3(id3Frame('APIC', linkedCover(listener)), id3Frame('WXXX', link), id3Frame('LINK', link)),
        seed('tone.mp3').subarray(offsetOf(seed('tone.mp3'), u8(0xff, 0xfb))),
      ]);
    },
    expected: ['complete'],
  },
  {
    name: 'references/flac-with-a-cover-elsewhere',
    filename: 'tone.flac',
    make: ({ seed, listener }) => {
      const address = latin(`http://${listener}/cover.png`);
      const picture = Buffer.concat([be.u32(3), sized(latin('-->')), be.u32(0, 0, 0, 0, 0), sized(address)]);
      const whole = seed('tone.flac');
      const block = Buffer.concat([be.u32((6 << 24) | picture.length), picture]);
      return Buffer.concat([whole.subarray(0, 42), block, whole.subarray(42)]); // right after the first block
    },
    expected: ['complete', 'corrupt_media'],
  },
  {
    name: 'references/wav-with-a-playlist-of-files',
    filename: 'tone.wav',
    make: (fixture) =>
      wave({}, Buffer.alloc(16_000, 3), list('adtl', playlist(fixture)), list('INFO', playlist(fixture))),
    expected: ['complete'],
  },
];
