import { AssetFailure } from '@assay/contract/asset-failures.ts';
import type { Probe, ProbeStream } from '../probe/probe-report.ts';
import type { AudioFormat, MediaFormat, VideoFormat } from './signal/observer.ts';

/** The streams of a file that are decoded, by index, and their format. */
export type SelectedStreams = {
  format: MediaFormat;
  videoStream: number | null;
  audioStreams: number[];
  /** Whether the file is an animated image, which players repeat. */
  isLoop: boolean;
};

const smallSideMax = 320;
const loopingContainers = new Set(['gif', 'apng']);
/**
 * How long a loop is decoded beyond its end: the change from its last to its first frame can be a flash, and its
 * duration can be unknown.
 */
const replayedSeconds = 2;
/** Smaller videos that do not declare a matrix are treated as standard definition. */
const highDefinitionHeight = 720;

const matrices: Readonly<Record<string, VideoFormat['matrix']>> = {
  bt709: 'bt709',
  smpte170m: 'bt601',
  bt470bg: 'bt601',
  fcc: 'bt601',
  bt2020nc: 'bt2020',
  bt2020c: 'bt2020',
};
const transfers: Readonly<Record<string, VideoFormat['transfer']>> = {
  smpte2084: 'pq',
  'arib-std-b67': 'hlg',
  'iec61966-2-1': 'srgb',
};
const primaries: Readonly<Record<string, VideoFormat['primaries']>> = {
  smpte170m: 'bt601-525',
  smpte240m: 'bt601-525',
  bt470bg: 'bt601-625',
  bt709: 'bt709',
  bt2020: 'bt2020',
};
const fieldOrders: Readonly<Record<string, VideoFormat['fieldOrder']>> = {
  progressive: 'progressive',
  tt: 'tff',
  tb: 'tff',
  bb: 'bff',
  bt: 'bff',
};

/**
 * Selects the first video stream that is not cover art, and the first audio stream; if the first two audio streams are
 * mono, they become left and right. Streams with too few declared parameters to be decoded are skipped. If all streams
 * of a kind are skipped, the asset fails: otherwise an unchecked file would look as if it had no issues.
 */
export function selectStreams(probe: Probe): SelectedStreams {
  const videos = probe.streams.filter(({ kind, isAttachedPicture }) => kind === 'video' && !isAttachedPicture);
  const video = decodableStreamsOf(videos, ({ width, height }) => Boolean(width && height))[0];
  const tracks = probe.streams.filter(({ kind }) => kind === 'audio');
  const audios = stereoPairOrFirst(
    decodableStreamsOf(tracks, ({ sampleRate, channels }) => Boolean(sampleRate && channels)),
  );
  const isLoop = loopingContainers.has(probe.container);
  return {
    isLoop,
    format: {
      durationSeconds: isLoop ? (probe.durationSeconds ?? 0) + replayedSeconds : probe.durationSeconds,
      video: video ? videoFormatOf(video) : null,
      audio: audioFormatOf(audios),
    },
    videoStream: video?.index ?? null,
    audioStreams: audios.map(({ index }) => index),
  };
}

function decodableStreamsOf(streams: ProbeStream[], isDecodable: (stream: ProbeStream) => boolean): ProbeStream[] {
  const decodable = streams.filter(isDecodable);
  const [first] = streams;
  if (!first || decodable.length > 0) return decodable;
  const reason = `the parameters of the ${first.codec} stream are unknown`;
  throw new AssetFailure(first.codec === 'unknown' ? 'unsupported_codec' : 'corrupt_media', reason);
}

function stereoPairOrFirst(streams: ProbeStream[]): ProbeStream[] {
  const [first, second] = streams;
  if (!first) return [];
  const isPair = first.channels === 1 && second?.channels === 1 && first.sampleRate === second.sampleRate;
  return isPair ? [first, second] : [first];
}

function audioFormatOf(streams: ProbeStream[]): AudioFormat | null {
  const [first] = streams;
  if (!first?.sampleRate || !first.channels) return null;
  if (streams.length === 2) return { sampleRate: first.sampleRate, channels: 2, layout: 'stereo' };
  return { sampleRate: first.sampleRate, channels: first.channels, layout: first.channelLayout };
}

/** Pixel formats with more than one byte per code have names that end in the byte order. */
const hasMoreThanEightBits = (pixelFormat: string) => /[bl]e$/.test(pixelFormat);

function videoFormatOf(stream: ProbeStream): VideoFormat | null {
  if (!stream.width || !stream.height) return null;
  const isRotated = Math.abs(stream.rotation) % 180 === 90;
  const [width, height] = isRotated ? [stream.height, stream.width] : [stream.width, stream.height];
  const pixels = stream.pixelFormat ?? '';
  const isRgb = /^(gbr|rgb|bgr|0rgb|0bgr|argb|abgr|pal8)/.test(pixels);
  const transfer = transfers[stream.colourTransfer ?? ''] ?? (isRgb ? 'srgb' : 'bt1886');
  const isHdr = transfer === 'pq' || transfer === 'hlg';
  const bits = isHdr && hasMoreThanEightBits(pixels) ? 10 : 8;
  // If no matrix is declared: BT.2100 (PQ and HLG) only uses that of BT.2020.
  const defaultMatrix = isHdr ? 'bt2020' : height >= highDefinitionHeight ? 'bt709' : 'bt601';
  const matrix = matrices[stream.colourMatrix ?? ''] ?? defaultMatrix;
  return {
    width,
    height,
    frameRate: stream.averageFrameRate ?? stream.realFrameRate,
    isFullRange: !isRgb && (stream.colourRange === 'pc' || pixels.startsWith('yuvj')),
    matrix,
    transfer,
    // BT.601 only if declared: many small videos have the matrix of BT.601 and the primaries of BT.709.
    primaries: primaries[stream.colourPrimaries ?? ''] ?? (matrix === 'bt2020' ? 'bt2020' : 'bt709'),
    fieldOrder: fieldOrders[stream.fieldOrder ?? ''] ?? null,
    isRgb,
    bits,
    isPlain: (bits === 8 ? ['yuv420p', 'yuvj420p'] : ['yuv420p10le']).includes(pixels),
    small: smallSizeOf(width, height),
  };
}

function smallSizeOf(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, smallSideMax / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
