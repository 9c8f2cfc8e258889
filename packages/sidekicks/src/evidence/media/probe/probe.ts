import { AssetFailure } from '@assay/contract/asset-failures.ts';
import { mediaSecondsMax } from '@assay/contract/limits.ts';
import { runTool, type Tool } from '@assay/jail/run-tool.ts';
import type { Source } from '@assay/jail/source/source.ts';
import { recognise } from '../../file/format/recognise.ts';
import { readAnimation } from './animation.ts';
import { readApngSeconds } from './apng-duration.ts';
import { classifyFfmpegError } from './classify-ffmpeg-error.ts';
import { isHiddenAudio, type Probe, type ProbeStream, readProbeReport } from './probe-report.ts';

/**
 * For each recognised format, the only demuxer that may open it. If ffmpeg detected the format, a file could choose its
 * demuxer, such as that for playlists, which opens other files.
 */
const demuxers: ReadonlyMap<string, string> = new Map([
  ['video/mp4', 'mov'],
  ['video/x-m4v', 'mov'],
  ['video/quicktime', 'mov'],
  ['video/3gpp', 'mov'],
  ['audio/x-m4a', 'mov'],
  ['audio/mp4', 'mov'],
  ['video/webm', 'matroska'],
  ['video/matroska', 'matroska'],
  ['video/vnd.avi', 'avi'],
  ['video/MP1S', 'mpeg'],
  ['video/MP2P', 'mpeg'],
  ['video/mpeg', 'mpegvideo'],
  ['video/mp2t', 'mpegts'],
  ['application/mxf', 'mxf'],
  ['audio/mpeg', 'mp3'],
  ['audio/aac', 'aac'],
  ['audio/wav', 'wav'],
  ['audio/flac', 'flac'],
  ['audio/ogg', 'ogg'],
  ['audio/ogg; codecs=opus', 'ogg'],
  ['audio/aiff', 'aiff'],
  ['image/gif', 'gif'],
  ['image/apng', 'apng'],
  ['image/avif', 'mov'],
  ['image/heic', 'mov'],
  ['image/heif', 'mov'],
  ['image/heic-sequence', 'mov'],
  ['image/heif-sequence', 'mov'],
]);
/** Formats of still images, too. ffprobe reads only image sequences; it has no demuxer for animated WebP. */
const sequenceFormats = /^image\/(?:avif|hei[cf])/;

export const streamsMax = 200;
/** How much of the file ffprobe reads to detect the streams. */
const probeBytesMax = 20_000_000;
const probeMicroseconds = 20_000_000;
/** Formats that list their streams nowhere: any packet can be the first of a new stream. */
const demuxersWithoutHead = new Set(['mpegts', 'mpeg']);
const detectionArguments = ['-probesize', `${probeBytesMax}`, '-analyzeduration', `${probeMicroseconds}`];
/** The first packets of each stream show whether it is encrypted. */
const packetsRead = 64;

const shownEntries = [
  'program_version=version',
  'format:format_tags',
  'stream:stream_tags:stream_disposition:stream_side_data',
  'chapter:chapter_tags',
  'packet=stream_index:packet_side_data',
].join(':');

const ffprobeLimits = {
  secondsMax: 60,
  cpuSecondsMax: 30,
  memoryBytesMax: 1024 * 1024 * 1024,
  memoryNeed: { bytes: 128 * 1024 * 1024, isLong: false },
  outputBytesMax: 16 * 1024 * 1024,
} as const;

/** The demuxer for a recognised format; undefined if the format is neither audio, video nor an animated image. */
export function demuxerOf(recognition: string): string | undefined {
  return demuxers.get(recognition);
}

/**
 * ffmpeg's arguments that choose the demuxer. A video or audio track that another track names as its chapters is read
 * like any other; otherwise the first frame of a video would be read twice, and audio not at all.
 */
export function demuxerArguments(demuxer: string): string[] {
  return [
    ...['-f', demuxer, ...(demuxer === 'mov' ? ['-ignore_chapters', '1'] : [])],
    // ffmpeg would detect fewer streams than ffprobe, and none of the others can be named in its arguments.
    ...(demuxersWithoutHead.has(demuxer) ? detectionArguments : []),
  ];
}

/**
 * What the container of a video, audio file or animated image declares about itself and its streams. Decodes at most
 * the start of the streams. `null` for other files.
 */
export async function readProbe(source: Source): Promise<Probe | null> {
  const recognition = await recognise(source.bytes);
  const demuxer = demuxerOf(recognition);
  const isSequence = sequenceFormats.test(recognition);
  const animation = isSequence ? await readAnimation(source) : null;
  if (!demuxer || (isSequence && (!animation || animation.format === 'motion photo'))) return null;
  const { exitCode, stdout, stderr } = await runTool(ffprobe(['-f', demuxer]), source);
  if (exitCode === 126 || exitCode === 127) throw new Error(`ffprobe could not be run: ${stderr.slice(0, 500)}`);
  const report = exitCode === 0 ? await readReport(stdout.toString(), demuxer, source) : null;
  if (!report?.streams.some(({ kind }) => kind === 'video' || kind === 'audio')) {
    // The first image of the sequence can still be examined.
    if (isSequence) return null;
    const cause = new Error(`ffprobe: ${exitCode} ${stderr.slice(0, 500)}`);
    const { errorType, reason } = classifyFfmpegError(stderr);
    throw new AssetFailure(errorType, `ffprobe exited with ${exitCode}: ${reason}`, { cause });
  }
  const hasUnknownSize = report.streams.some(({ kind, width }) => kind === 'video' && !width);
  if (hasUnknownSize) {
    const { errorType, reason } = classifyFfmpegError(stderr);
    if (errorType === 'resource_limit_exceeded') throw new AssetFailure(errorType, `ffprobe: ${reason}`);
  }
  if (report.isEncrypted) throw new AssetFailure('encrypted_media', 'ffprobe found encrypted packets');
  if ((report.durationSeconds ?? 0) > mediaSecondsMax)
    throw new AssetFailure('media_too_long', `declares ${report.durationSeconds} s; the limit is ${mediaSecondsMax} s`);
  if (report.durationSeconds) source.onDuration?.(report.durationSeconds);
  return report.streams.some(isHiddenAudio) ? readHiddenAudio(report, demuxer, source) : report;
}

async function readReport(json: string, demuxer: string, source: Source): Promise<Probe | null> {
  const report = readProbeReport(json);
  return report && demuxer === 'apng' ? { ...report, durationSeconds: await readApngSeconds(source) } : report;
}

/** Chapters are needed for their thumbnails, so they are ignored only to read the audio that they hide. */
async function readHiddenAudio(report: Probe, demuxer: string, source: Source): Promise<Probe> {
  const { exitCode, stdout } = await runTool(ffprobe(demuxerArguments(demuxer)), source);
  const streams = exitCode === 0 ? (readProbeReport(stdout.toString())?.streams ?? []) : [];
  const readable = (hidden: ProbeStream) => streams.find(({ index }) => index === hidden.index) ?? hidden;
  return { ...report, streams: report.streams.map((stream) => (isHiddenAudio(stream) ? readable(stream) : stream)) };
}

function ffprobe(input: readonly string[]): Tool {
  return {
    program: '/usr/bin/ffprobe',
    args: [
      ...['-v', 'error', '-protocol_whitelist', 'file,pipe'],
      ...[...input, '-max_streams', `${streamsMax}`],
      ...detectionArguments,
      ...['-show_entries', shownEntries, '-read_intervals', `%+#${packetsRead}`, '-of', 'json'],
      '/in',
    ],
    ...ffprobeLimits,
  };
}
