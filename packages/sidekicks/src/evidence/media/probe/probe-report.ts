import { type DeclaredHdr, readDeclaredHdr } from './declared-hdr.ts';

export type ProbeTag = { name: string; value: string };

export type ProbeStream = {
  index: number;
  kind: 'video' | 'audio' | 'subtitle' | 'data' | 'attachment';
  /** `unknown` if ffprobe has no name for it. */
  codec: string;
  profile: string | null;
  /** As the codec counts levels: 41 is 4.1 in H.264. Null if the codec has none. */
  level: number | null;
  /** Cover art or another still image that is not the main video. */
  isAttachedPicture: boolean;
  width: number | null;
  height: number | null;
  /** Degrees by which a player rotates the frames. */
  rotation: number;
  pixelFormat: string | null;
  fieldOrder: string | null;
  /** Of a pixel, `16:15`. Null if it is not declared. */
  sampleAspectRatio: string | null;
  chromaLocation: string | null;
  colourRange: string | null;
  colourMatrix: string | null;
  colourTransfer: string | null;
  colourPrimaries: string | null;
  /** Average frames per second, and the lowest rate that represents all timestamps. They differ if the rate varies. */
  averageFrameRate: number | null;
  realFrameRate: number | null;
  /** As counted by the demuxer or declared in the container. */
  frameCount: number | null;
  /** Frames per second as a fraction: `30000/1001`. */
  frameRateFraction: string | null;
  bitsPerSecond: number | null;
  /** Of one sample or colour value, where the codec declares it. */
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
  /** ffmpeg's name: `mov,mp4,m4a,3gp,3g2,mj2`. */
  container: string;
  startSeconds: number | null;
  durationSeconds: number | null;
  bitsPerSecond: number | null;
  isEncrypted: boolean;
  tags: ProbeTag[];
  streams: ProbeStream[];
  chapters: { startSeconds: number; endSeconds: number; title: string | null }[];
};

type Row = Record<string, unknown>;

const tagsMax = 200;
const nameCharactersMax = 100;
const valueCharactersMax = 4096;
const chaptersMax = 1000;
const kinds: readonly string[] = ['video', 'audio', 'subtitle', 'data', 'attachment'] satisfies ProbeStream['kind'][];
/** Sample entries of protected tracks whose original format the demuxer does not read. */
const protectedTags = new Set(['encv', 'enca', 'drms', 'drmi', 'p608', 'aavd']);

/** Reads ffprobe's JSON; `null` if it is invalid. */
export function readProbeReport(json: string): Probe | null {
  const report = parse(json);
  const format = report && rowOf(report.format);
  if (!report || !format) return null;
  const rows = rowsOf(report.streams);
  return {
    reader: `ffprobe ${text(rowOf(report.program_version)?.version)?.split('-')[0] ?? ''}`.trim(),
    container: text(format.format_name) ?? 'unknown',
    startSeconds: number(format.start_time),
    durationSeconds: notNegative(format.duration),
    bitsPerSecond: number(format.bit_rate),
    isEncrypted: [...rows, ...rowsOf(report.packets)].some(isProtected),
    tags: tagsOf(format),
    streams: rows.map(streamOf),
    chapters: rowsOf(report.chapters)
      .slice(0, chaptersMax)
      .map((row) => ({
        startSeconds: number(row.start_time) ?? 0,
        endSeconds: number(row.end_time) ?? 0,
        title: tagsOf(row).find(({ name }) => name.toLowerCase() === 'title')?.value ?? null,
      })),
  };
}

function streamOf(row: Row): ProbeStream {
  const kind = text(row.codec_type) ?? 'data';
  const tags = tagsOf(row);
  return {
    index: number(row.index) ?? 0,
    kind: kinds.includes(kind) ? (kind as ProbeStream['kind']) : 'data',
    codec: text(row.codec_name) ?? 'unknown',
    profile: text(row.profile),
    level: notNegative(row.level),
    isAttachedPicture: rowOf(row.disposition)?.attached_pic === 1,
    width: number(row.width),
    height: number(row.height),
    rotation: rowsOf(row.side_data_list).flatMap((side) => number(side.rotation) ?? [])[0] ?? 0,
    pixelFormat: text(row.pix_fmt),
    fieldOrder: text(row.field_order),
    sampleAspectRatio: ratio(row.sample_aspect_ratio, ':') === null ? null : text(row.sample_aspect_ratio),
    chromaLocation: text(row.chroma_location),
    colourRange: text(row.color_range),
    colourMatrix: text(row.color_space),
    colourTransfer: text(row.color_transfer),
    colourPrimaries: text(row.color_primaries),
    averageFrameRate: ratio(row.avg_frame_rate),
    realFrameRate: ratio(row.r_frame_rate),
    frameCount: number(row.nb_frames),
    frameRateFraction: frameRateFraction(row),
    bitsPerSecond: positive(row.bit_rate),
    bitDepth: positive(row.bits_per_raw_sample) ?? positive(row.bits_per_sample),
    sampleRate: number(row.sample_rate),
    channels: number(row.channels),
    channelLayout: text(row.channel_layout),
    startSeconds: number(row.start_time),
    durationSeconds: notNegative(row.duration),
    language: tags.find(({ name }) => name.toLowerCase() === 'language')?.value ?? null,
    hdr: readDeclaredHdr(rowsOf(row.side_data_list)),
    tags,
  };
}

/** Below the 0.1 % between 29.97 and 30. */
const rateTolerance = 0.0004;

/** Timestamps that are rounded to milliseconds make the average inexact: then the lowest rate of all is exact. */
function frameRateFraction(row: Row): string | null {
  const [average, real] = [ratio(row.avg_frame_rate), ratio(row.r_frame_rate)];
  if (average === null) return null;
  const isRounded = real !== null && Math.abs(average / real - 1) < rateTolerance;
  return text(isRounded ? row.r_frame_rate : row.avg_frame_rate);
}

function isProtected(row: Row): boolean {
  const sides = rowsOf(row.side_data_list).map((side) => text(side.side_data_type) ?? '');
  return protectedTags.has(text(row.codec_tag_string) ?? '') || sides.some((side) => /^encryption/i.test(side));
}

function tagsOf(row: Row): ProbeTag[] {
  return Object.entries(rowOf(row.tags) ?? {})
    .slice(0, tagsMax)
    .map(([name, value]) => ({
      name: name.slice(0, nameCharactersMax),
      value: String(value).slice(0, valueCharactersMax),
    }));
}

function parse(json: string): Row | null {
  try {
    return rowOf(JSON.parse(json));
  } catch {
    return null; // ffprobe was killed while writing
  }
}

function rowOf(value: unknown): Row | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : null;
}

function rowsOf(value: unknown): Row[] {
  return Array.isArray(value) ? value.map(rowOf).filter((row) => row !== null) : [];
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, valueCharactersMax) : null;
}

/** ffprobe writes most numbers as strings, and `N/A` for unknown ones. */
function number(value: unknown): number | null {
  const parsed = typeof value === 'number' ? value : Number.parseFloat(text(value) ?? '');
  return Number.isFinite(parsed) ? parsed : null;
}

/** Hostile files declare negative durations; a codec without levels has −99. */
function notNegative(value: unknown): number | null {
  const parsed = number(value);
  return parsed !== null && parsed >= 0 ? parsed : null;
}

function positive(value: unknown): number | null {
  const parsed = number(value);
  return parsed !== null && parsed > 0 ? parsed : null;
}

/** `30000/1001` → 29.97; `0/0` → null. */
function ratio(value: unknown, separator = '/'): number | null {
  const [numerator = 0, denominator = 0] = (text(value) ?? '').split(separator).map(Number);
  return numerator > 0 && denominator > 0 ? numerator / denominator : null;
}
