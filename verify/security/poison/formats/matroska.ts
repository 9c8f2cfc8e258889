import { be, latin } from './bytes.ts';

/** The id of each element. */
const ids = {
  EBML: 0x1a45dfa3,
  DocType: 0x4282,
  Segment: 0x18538067,
  Info: 0x1549a966,
  TimestampScale: 0x2ad7b1,
  Duration: 0x4489,
  PrevFilename: 0x3c83ab,
  NextFilename: 0x3e83bb,
  SegmentFilename: 0x7384,
  NextUID: 0x3eb923,
  Tracks: 0x1654ae6b,
  TrackEntry: 0xae,
  TrackNumber: 0xd7,
  TrackUID: 0x73c5,
  TrackType: 0x83,
  CodecID: 0x86,
  CodecPrivate: 0x63a2,
  Video: 0xe0,
  PixelWidth: 0xb0,
  PixelHeight: 0xba,
  DefaultDuration: 0x23e383,
  Audio: 0xe1,
  SamplingFrequency: 0xb5,
  Channels: 0x9f,
  BitDepth: 0x6264,
  ContentEncodings: 0x6d80,
  ContentEncoding: 0x6240,
  ContentCompression: 0x5034,
  ContentCompAlgo: 0x4254,
  Cluster: 0x1f43b675,
  Timestamp: 0xe7,
  SimpleBlock: 0xa3,
  Attachments: 0x1941a469,
  AttachedFile: 0x61a7,
  FileName: 0x466e,
  FileMimeType: 0x4660,
  FileData: 0x465c,
  FileUID: 0x46ae,
  Tags: 0x1254c367,
  Tag: 0x7373,
  SeekHead: 0x114d9b74,
  Seek: 0x4dbb,
  SeekID: 0x53ab,
  SeekPosition: 0x53ac,
  Void: 0xec,
} as const;
export type ElementName = keyof typeof ids;

const unknownSize = Buffer.from([0x01, 255, 255, 255, 255, 255, 255, 255]);

export function idOf(name: ElementName): Buffer {
  const hex = ids[name].toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
}

export const element = (name: ElementName, ...parts: Uint8Array[]) => {
  const payload = Buffer.concat(parts);
  return elementWithSize(name, BigInt(payload.length), payload);
};

/** An element with a false size of eight bytes. */
export const elementWithSize = (name: ElementName, claimedBytes: bigint, ...parts: Uint8Array[]) =>
  Buffer.concat([idOf(name), be.u64((1n << 56n) | claimedBytes), ...parts]);

export const elementOfUnknownSize = (name: ElementName, ...parts: Uint8Array[]) =>
  Buffer.concat([idOf(name), unknownSize, ...parts]);

export const number = (name: ElementName, value: number | bigint) => element(name, be.u64(BigInt(value)));

export const float = (name: ElementName, value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return element(name, bytes);
};

export const text = (name: ElementName, value: string) => element(name, latin(value));

export const header = element('EBML', text('DocType', 'matroska'));

export const info = (...more: Uint8Array[]) => element('Info', number('TimestampScale', 1_000_000), ...more);

/** A track of uncompressed audio samples. */
export const audioTrack = (trackNumber: number, rate = 8000, channels = 1, bits = 16) =>
  element(
    'TrackEntry',
    ...[number('TrackNumber', trackNumber), number('TrackUID', trackNumber), number('TrackType', 2)],
    text('CodecID', 'A_PCM/INT/LIT'),
    element('Audio', float('SamplingFrequency', rate), number('Channels', channels), number('BitDepth', bits)),
  );

/** A track of independent JPEG frames. */
export const videoTrack = (trackNumber: number, width = 160, height = 90, ...more: Uint8Array[]) =>
  element(
    'TrackEntry',
    ...[number('TrackNumber', trackNumber), number('TrackUID', trackNumber), number('TrackType', 1)],
    text('CodecID', 'V_MJPEG'),
    element('Video', number('PixelWidth', width), number('PixelHeight', height)),
    ...more,
  );

/** A frame of the track at this offset from the cluster's timestamp. */
export const block = (trackNumber: number, offsetMs: number, frame: Uint8Array) =>
  element('SimpleBlock', Buffer.from([0x80 | trackNumber]), be.u16(offsetMs), Buffer.from([0x80]), frame);

export const cluster = (timestamp: number | bigint, ...blocks: Uint8Array[]) =>
  element('Cluster', number('Timestamp', timestamp), ...blocks);

export const matroska = (...parts: Uint8Array[]) => Buffer.concat([header, element('Segment', ...parts)]);

/** A file of these tracks and clusters. */
export const matroskaOf = (tracks: readonly Uint8Array[], ...clusters: Uint8Array[]) =>
  matroska(info(), element('Tracks', ...tracks), ...clusters);
