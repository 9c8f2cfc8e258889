import {
  type JsonObject,
  parseJsonObject,
  toNumber,
  toNumberFromZero,
  toObject,
  toObjects,
  toText,
} from '../json-report.ts';
import { declaredDurationOf } from './declared-duration.ts';
import { type DeclaredHdr, readDeclaredHdr } from './declared-hdr.ts';

export type ProbeTag = { name: string; value: string };

export type ProbeStream = {
  index: number;
  kind: 'video' | 'audio' | 'subtitle' | 'data' | 'attachment';
  /** `unknown` if ffprobe has no name for the codec. */
  codec: string;
  profile: string | null;
  /** The level as the codec numbers it: 41 is 4.1 in H.264. Null if the codec has none. */
  level: number | null;
  /** Cover art or another still image that is not the main video. */
  isAttachedPicture: boolean;
  /** Whether another track names it as its chapters: its frames are thumbnails of them, or a hidden video. */
  isChapterTrack: boolean;
  /** Whether players show these subtitles even if nobody asked for them: mostly signs and foreign speech only. */
  isForced: boolean;
  width: number | null;
  height: number | null;
  /** Degrees by which a player rotates the frames. */
  rotation: number;
  pixelFormat: string | null;
  fieldOrder: string | null;
  /** The aspect ratio of a pixel, such as `16:15`. Null if it is not declared. */
  sampleAspectRatio: string | null;
  chromaLocation: string | null;
  colourRange: string | null;
  colourMatrix: string | null;
  colourTransfer: string | null;
  colourPrimaries: string | null;
  /** Average frames per second, and the lowest rate that represents all timestamps. They differ if the rate varies. */
  averageFrameRate: number | null;
  realFrameRate: number | null;
  /** The number of frames, as counted by the demuxer or declared in the container. */
  frameCount: number | null;
  /** Frames per second as a fraction: `30000/1001`. */
  frameRateFraction: string | null;
  bitsPerSecond: number | null;
  /** Bits per audio sample or colour value, if the codec declares them. */
  bitDepth: number | null;
  sampleRate: number | null;
  channels: number | null;
  channelLayout: string | null;
  startSeconds: number | null;
  durationSeconds: number | null;
  language: string | null;
  hdr: DeclaredHdr;
  tags: ProbeTag[];
};

/** What a container declares. Numbers are unverified until the streams are decoded. */
export type Probe = {
  /** The program that read the container: `ffprobe 5.1.9`. */
  reader: string;
  /** ffmpeg's name of the format: `mov,mp4,m4a,3gp,3g2,mj2`. */
  container: string;
  startSeconds: number | null;
  /** From the start of the file, wherever its timestamps start. */
  durationSeconds: number | null;
  bitsPerSecond: number | null;
  isEncrypted: boolean;
  tags: ProbeTag[];
  streams: ProbeStream[];
  chapters: { startSeconds: number; endSeconds: number; title: string | null }[];
};

const tagsMax = 200;
const nameCharactersMax = 100;
const valueCharactersMax = 4096;
const chaptersMax = 1000;
const kinds: readonly string[] = ['video', 'audio', 'subtitle', 'data', 'attachment'] satisfies ProbeStream['kind'][];
/** Sample entries of protected tracks whose original format the demuxer does not read. */
const protectedTags = new Set(['encv', 'enca', 'drms', 'drmi', 'p608', 'aavd']);

/** Sample entries of audio. ffprobe reports a track that is named as chapters, and is not video, as binary data. */
const audioTags = new Set([
  ...['mp4a', 'alac', 'Opus', 'fLaC', '.mp3', 'ac-3', 'ec-3', 'ac-4', 'mlpa', 'dtsc', 'dtsh', 'dtsl', 'dtse'],
  ...['sowt', 'twos', 'lpcm', 'ipcm', 'fpcm', 'in24', 'in32', 'fl32', 'fl64', 'raw ', 'ulaw', 'alaw', 'ima4'],
  ...['samr', 'sawb', 'QDM2', 'mha1', 'mhm1'],
]);

const binaryData = 'bin_data';

/** Whether this is an audio track of which ffprobe says no more, because another track names it as its chapters. */
export function isHiddenAudio({ kind, codec }: ProbeStream): boolean {
  return kind === 'audio' && codec === binaryData;
}

/** Reads ffprobe's JSON; `null` if it is invalid. */
export function readProbeReport(json: string): Probe | null {
  const report = parseJsonObject(json);
  const format = report && toObject(report.format);
  if (!report || !format) return null;
  const rows = toObjects(report.streams);
  const container = toText(format.format_name) ?? 'unknown';
  const [startSeconds, durationSeconds] = [toNumber(format.start_time), toNumberFromZero(format.duration)];
  const streams = rows.map(streamOf);
  return {
    reader: `ffprobe ${toText(toObject(report.program_version)?.version)?.split('-')[0] ?? ''}`.trim(),
    container,
    startSeconds,
    durationSeconds: declaredDurationOf({ container, startSeconds, durationSeconds, streams }),
    bitsPerSecond: toNumber(format.bit_rate),
    isEncrypted: [...rows, ...toObjects(report.packets)].some(isProtected),
    tags: tagsOf(format),
    streams,
    chapters: toObjects(report.chapters)
      .slice(0, chaptersMax)
      .map((row) => ({
        startSeconds: toNumber(row.start_time) ?? 0,
        endSeconds: toNumber(row.end_time) ?? 0,
        title: tagsOf(row).find(({ name }) => name.toLowerCase() === 'title')?.value ?? null,
      })),
  };
}

/** A stream of which only the kind is known. */
export function undescribedStream({ index, kind }: Pick<ProbeStream, 'index' | 'kind'>): ProbeStream {
  return streamOf({ index, codec_type: kind });
}

function streamOf(row: JsonObject): ProbeStream {
  const kind = hasHiddenAudio(row) ? 'audio' : (toText(row.codec_type) ?? 'data');
  const disposition = toObject(row.disposition);
  const tags = tagsOf(row);
  return {
    index: toNumber(row.index) ?? 0,
    kind: kinds.includes(kind) ? (kind as ProbeStream['kind']) : 'data',
    codec: toText(row.codec_name) ?? 'unknown',
    profile: toText(row.profile),
    level: toNumberFromZero(row.level),
    isAttachedPicture: disposition?.attached_pic === 1,
    isChapterTrack: disposition?.timed_thumbnails === 1,
    isForced: disposition?.forced === 1,
    width: toNumber(row.width),
    height: toNumber(row.height),
    rotation: toObjects(row.side_data_list).flatMap((side) => toNumber(side.rotation) ?? [])[0] ?? 0,
    pixelFormat: toText(row.pix_fmt),
    fieldOrder: toText(row.field_order),
    sampleAspectRatio: toRatio(row.sample_aspect_ratio, ':') === null ? null : toText(row.sample_aspect_ratio),
    chromaLocation: toText(row.chroma_location),
    colourRange: toText(row.color_range),
    colourMatrix: toText(row.color_space),
    colourTransfer: toText(row.color_transfer),
    colourPrimaries: toText(row.color_primaries),
    averageFrameRate: toRatio(row.avg_frame_rate),
    realFrameRate: toRatio(row.r_frame_rate),
    frameCount: toNumber(row.nb_frames),
    frameRateFraction: frameRateFraction(row),
    bitsPerSecond: toPositive(row.bit_rate),
    bitDepth: toPositive(row.bits_per_raw_sample) ?? toPositive(row.bits_per_sample),
    sampleRate: toNumber(row.sample_rate),
    channels: toNumber(row.channels),
    channelLayout: toText(row.channel_layout),
    startSeconds: toNumber(row.start_time),
    durationSeconds: toNumberFromZero(row.duration),
    language: tags.find(({ name }) => name.toLowerCase() === 'language')?.value ?? null,
    hdr: readDeclaredHdr(toObjects(row.side_data_list)),
    tags,
  };
}

function hasHiddenAudio(row: JsonObject): boolean {
  return row.codec_name === binaryData && audioTags.has(toText(row.codec_tag_string) ?? '');
}

/** Less than the 0.1 % by which 29.97 and 30 differ. */
const rateTolerance = 0.0004;

/** Timestamps that are rounded to milliseconds make the average rate inexact: then `r_frame_rate` is exact. */
function frameRateFraction(row: JsonObject): string | null {
  const [average, real] = [toRatio(row.avg_frame_rate), toRatio(row.r_frame_rate)];
  if (average === null) return null;
  const isRounded = real !== null && Math.abs(average / real - 1) < rateTolerance;
  return toText(isRounded ? row.r_frame_rate : row.avg_frame_rate);
}

function isProtected(row: JsonObject): boolean {
  const sides = toObjects(row.side_data_list).map((side) => toText(side.side_data_type) ?? '');
  return protectedTags.has(toText(row.codec_tag_string) ?? '') || sides.some((side) => /^encryption/i.test(side));
}

function tagsOf(row: JsonObject): ProbeTag[] {
  return Object.entries(toObject(row.tags) ?? {})
    .slice(0, tagsMax)
    .map(([name, value]) => ({
      name: name.slice(0, nameCharactersMax),
      value: String(value).slice(0, valueCharactersMax),
    }));
}

function toPositive(value: unknown): number | null {
  const parsed = toNumber(value);
  return parsed !== null && parsed > 0 ? parsed : null;
}

/** `30000/1001` → 29.97; `0/0` → null. */
function toRatio(value: unknown, separator = '/'): number | null {
  const [numerator = 0, denominator = 0] = (toText(value) ?? '').split(separator).map(Number);
  return numerator > 0 && denominator > 0 ? numerator / denominator : null;
}
