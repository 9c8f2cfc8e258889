import { be, latin, offsetOf, repeatBytes, u8 } from '../formats/bytes.ts';
import { addToBox, box, changeBoxes, fileType, fullBox } from '../formats/iso-media.ts';
import { block, cluster, element, info, matroska, matroskaOf, number, text, videoTrack } from '../formats/matroska.ts';
import type { Fixture, Recipe } from '../formats/recipe.ts';
import { list, wave } from '../formats/riff.ts';
import { type Row, readableOrNotOutcomes, recipesByFile } from '../formats/rows.ts';

/** A video whose samples are in other files. */
const withReferences = (video: Buffer, ...filesWithReferences: Uint8Array[]) =>
  changeBoxes(video, ['moov', 'trak', 'mdia', 'minf', 'dinf', 'dref'], () =>
    Buffer.concat([be.u32(0, filesWithReferences.length), ...filesWithReferences]),
  );

const playlist = ({ listener, canary }: Fixture) =>
  latin(`#EXTM3U\n#EXTINF:1,\nhttp://${listener}/x.ts\n#EXTINF:1,\n${canary}\n`);

/** A Finder alias with volume, folder and name of another file, which QuickTime used to follow. */
const finderAlias = (path: string) => {
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

/** The payload of an ID3 picture frame that links to an image: the type `-->` says that the data is a URL. */
const linkedCover = (listener: string) => latin(`\0-->\0\x03\0http://${listener}/cover.jpg`);
const id3Frame = (id: string, payload: Buffer) =>
  Buffer.concat([latin(id), be.u32(payload.length), be.u16(0), payload]);
const id3 = (...frames: Buffer[]) => {
  const body = Buffer.concat(frames);
  const sevenBits = [21, 14, 7, 0].map((shift) => (body.length >> shift) & 0x7f);
  return Buffer.concat([latin('ID3'), u8(3, 0, 0, ...sevenBits), body]);
};
const withLengthPrefix = (bytes: Buffer) => Buffer.concat([be.u32(bytes.length), bytes]);

const quickTime = box('ftyp', latin('qt  '), be.u32(512), latin('qt  '));
const referenceMovie = (address: string) =>
  box('moov', box('rmra', box('rmda', fullBox('rdrf', latin('url '), withLengthPrefix(latin(`${address}\0`))))));

const transportPacket = (payload: Buffer, i: number) => {
  const packet = Buffer.alloc(188, 0xff);
  packet.set([0x47, 0x41, 0x00, 0x10 | (i & 15)]);
  packet.set(payload.subarray(0, 184), 4);
  return packet;
};

const localSchemes = ['file', 'subfile', 'concat'];
const remoteSchemes = ['http', 'https', 'tcp', 'udp', 'ftp', 'rtmp', 'data', 'pipe'];
const mp4s: Row[] = [
  ...[...localSchemes, ...remoteSchemes].map(
    (scheme): Row => [
      `mp4-samples-by-${scheme}`,
      ({ seed, listener, canary }) => {
        const address = localSchemes.includes(scheme) ? `${scheme}:${canary}` : `${scheme}://${listener}/a.mp4`;
        return withReferences(seed('head-last.mp4'), fullBox('url ', latin(`${address}\0`)));
      },
      readableOrNotOutcomes,
    ],
  ),
  [
    'mp4-mark-and-an-image-sequence',
    ({ canary }) => Buffer.concat([fileType, box('mdat', latin(`${canary}%03d.jpg`)), latin('%d.jpg\n'.repeat(99))]),
    ['corrupt_media'],
  ],
];

const movs: Row[] = [
  [
    'mov-samples-by-alias',
    ({ seed, canary }) => withReferences(seed('video.mov'), box('alis', finderAlias(canary))),
    readableOrNotOutcomes,
  ],
  [
    'mov-samples-by-urn-and-resource',
    ({ seed, canary }) =>
      withReferences(seed('video.mov'), fullBox('urn ', latin(`x\0${canary}\0`)), fullBox('rsrc', latin(canary))),
    readableOrNotOutcomes,
  ],
  ...['http', 'rtsp'].map(
    (scheme): Row => [
      `mov-that-is-only-a-reference-by-${scheme}`,
      ({ listener }) => Buffer.concat([quickTime, referenceMovie(`${scheme}://${listener}/video.mov`)]),
      ['corrupt_media'],
    ],
  ),
  [
    'mov-reference-beside-a-video',
    ({ seed, listener }) => {
      const reference = Buffer.concat([quickTime, referenceMovie(`http://${listener}/`)]).subarray(8);
      return addToBox(seed('video.mov'), ['moov'], box('rmra', reference));
    },
  ],
];

/** Two frames, 40 ms apart. */
const twoFrames = ({ seed }: Fixture) => cluster(0, block(1, 0, seed('still.jpg')), block(1, 40, seed('still.jpg')));

/** A Matroska attachment of this type that contains a playlist. */
const attachedPlaylist = (fixture: Fixture, type: string, id: number) =>
  element(
    'AttachedFile',
    ...[text('FileName', `../../..${fixture.canary}`), text('FileMimeType', type), number('FileUID', id)],
    element('FileData', playlist(fixture)),
  );

const mkvs: Row[] = [
  [
    'mkv-of-linked-segments',
    (fixture) => {
      const names = (['SegmentFilename', 'PrevFilename', 'NextFilename'] as const).map((n) => text(n, fixture.canary));
      const linked = info(...names, element('NextUID', Buffer.alloc(16, 9)));
      return matroska(linked, element('Tracks', videoTrack(1)), twoFrames(fixture));
    },
  ],
  [
    'mkv-with-playlists-attached',
    (fixture) => {
      const types = ['video/mp2t', 'application/x-mpegURL', 'font/ttf'];
      const attachments = element('Attachments', ...types.map((type, i) => attachedPlaylist(fixture, type, i + 1)));
      return matroskaOf([videoTrack(1)], attachments, twoFrames(fixture));
    },
  ],
  [
    'mkv-whose-frames-are-a-playlist',
    (fixture) => matroskaOf([videoTrack(1)], cluster(0, block(1, 0, playlist(fixture)))),
    readableOrNotOutcomes,
  ],
];

const transportStreams: Row[] = [
  [
    'playlist-inside-a-transport-stream',
    (fixture) => {
      const text = repeatBytes(40, playlist(fixture));
      const packets = Array.from({ length: 20 }, (_, i) => transportPacket(text.subarray(184 * i), i));
      return Buffer.concat([fixture.seed('video.ts'), ...packets]);
    },
  ],
  [
    'transport-stream-of-nothing-but-a-playlist',
    (fixture) => Buffer.concat(Array.from({ length: 50 }, (_, i) => transportPacket(playlist(fixture), i))),
    ['corrupt_media', 'refused 415'],
  ],
];

const mp3WithLinks = ({ seed, listener }: Fixture) => {
  const link = latin(`\0x\0http://${listener}/`);
  const tag = id3(id3Frame('APIC', linkedCover(listener)), id3Frame('WXXX', link), id3Frame('LINK', link));
  return Buffer.concat([tag, seed('tone.mp3').subarray(offsetOf(seed('tone.mp3'), u8(0xff, 0xfb)))]);
};

const flacWithCover = ({ seed, listener }: Fixture) => {
  const address = latin(`http://${listener}/cover.png`);
  const picture = Buffer.concat([
    be.u32(3),
    withLengthPrefix(latin('-->')),
    be.u32(0, 0, 0, 0, 0),
    withLengthPrefix(address),
  ]);
  const whole = seed('tone.flac');
  const block = Buffer.concat([be.u32((6 << 24) | picture.length), picture]);
  return Buffer.concat([whole.subarray(0, 42), block, whole.subarray(42)]); // right after the first block
};

const waveWithPlaylists = (fixture: Fixture) =>
  wave({}, Buffer.alloc(16_000, 3), list('adtl', playlist(fixture)), list('INFO', playlist(fixture)));

export const filesWithReferences: Recipe[] = recipesByFile('references', {
  'video.mp4': mp4s,
  'video.mov': movs,
  'video.mkv': mkvs,
  'video.ts': transportStreams,
  'tone.mp3': [['mp3-with-a-cover-elsewhere', mp3WithLinks]],
  'tone.flac': [['flac-with-a-cover-elsewhere', flacWithCover, readableOrNotOutcomes]],
  'tone.wav': [['wav-with-a-playlist-of-files', waveWithPlaylists]],
});
