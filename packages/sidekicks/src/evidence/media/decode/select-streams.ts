import { AssetFailure } from '@assay/contract/asset-failures.ts';
import type { Probe, ProbeStream } from '../probe/probe-report.ts';
import { audioProgrammes, type Programme } from '../probe/programmes.ts';
import { mainStreams } from '../probe/streams.ts';
import { isDecodable } from '../probe/track.ts';
import type { AudioFormat, MediaFormat, VideoFormat } from './signal/observer.ts';

/** The streams of a file that are decoded, by index, and their format. */
export type SelectedStreams = {
  /** Of the video and of the main audio programme. */
  format: MediaFormat;
  videoStream: number | null;
  /** The decoder of the video, if it is not ffmpeg's usual one for the codec. */
  videoDecoder: string | null;
  /** Every audio programme that is measured, the main one first. */
  programmes: SelectedProgramme[];
  /** Whether the file is an animated image, which players repeat. */
  isLoop: boolean;
};

export type SelectedProgramme = {
  format: AudioFormat;
  /** `endSeconds` is set if the other tracks of the programme last longer: then the track is extended with silence. */
  tracks: { index: number; endSeconds: number | null }[];
};

const smallSideMax = 320;
const loopingContainers = new Set(['gif', 'apng']);
/**
 * How long a loop is decoded beyond its end: the change from its last to its first frame can be a flash, and its
 * duration can be unknown.
 */
export const replayedSeconds = 2;
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
 * Selects the main video stream and the audio programmes. Players repeat animated images. If the streams of a kind
 * declare too little to be decoded, the asset fails: otherwise an unchecked file would look as if it had no issues.
 */
export function selectStreams(probe: Probe, isLoop = loopingContainers.has(probe.container)): SelectedStreams {
  const { video } = mainStreams(probe);
  const { programmes } = audioProgrammes(probe);
  for (const stream of [video, programmes[0]?.tracks[0]]) {
    if (stream && !isDecodable(stream)) throw undecodable(stream);
  }
  const selected = programmes.map(selectProgramme);
  // An AVIF sequence may declare the duration of its frames only.
  const onceSeconds = Math.max(probe.durationSeconds ?? 0, video?.durationSeconds ?? 0);
  return {
    isLoop,
    format: {
      durationSeconds: isLoop ? onceSeconds + replayedSeconds : probe.durationSeconds,
      video: video ? videoFormatOf(video) : null,
      audio: selected[0]?.format ?? null,
    },
    videoStream: video?.index ?? null,
    videoDecoder: video ? alphaDecoderOf(video) : null,
    programmes: selected,
  };
}

function undecodable({ codec }: ProbeStream): AssetFailure {
  const reason = `the parameters of the ${codec} stream are unknown`;
  return new AssetFailure(codec === 'unknown' ? 'unsupported_codec' : 'corrupt_media', reason);
}

/** A mix of several tracks would end with the shortest of them. */
function selectProgramme({ tracks, sampleRate, channels, layout, isAssumed }: Programme): SelectedProgramme {
  const longest = Math.max(...tracks.map(({ durationSeconds }) => durationSeconds ?? 0));
  return {
    format: { sampleRate, channels, layout, ...(isAssumed && { isAssumed }) },
    tracks: tracks.map(({ index, durationSeconds }) => ({
      index,
      endSeconds: durationSeconds !== null && durationSeconds < longest ? longest : null,
    })),
  };
}

/** Pixels that are wider or higher than this by their other side are a false declaration. */
const pixelAspectMax = 4;

/** The decoders of codecs whose transparency is a second stream of data, which ffmpeg's usual decoders ignore. */
const alphaDecoders: Readonly<Record<string, string>> = { vp8: 'libvpx', vp9: 'libvpx-vp9' };

/** Null unless the video declares transparency that needs a decoder of its own. */
function alphaDecoderOf({ codec, tags }: ProbeStream): string | null {
  const hasAlpha = tags.some(({ name, value }) => name.toLowerCase() === 'alpha_mode' && value === '1');
  return hasAlpha ? (alphaDecoders[codec] ?? null) : null;
}

/** Names of ffmpeg's pixel formats with an alpha channel, or a palette that can have one. */
const hasAlphaChannel = (pixelFormat: string) => /^(yuva|rgba|bgra|argb|abgr|gbrap|ya\d|pal8)/.test(pixelFormat);

/** Pixel formats with more than one byte per code have names that end in the byte order. */
const hasMoreThanEightBits = (pixelFormat: string) => /[bl]e$/.test(pixelFormat);

function videoFormatOf(stream: ProbeStream): VideoFormat | null {
  if (!stream.width || !stream.height) return null;
  const isRotated = Math.abs(stream.rotation) % 180 === 90;
  const [width, height] = isRotated ? [stream.height, stream.width] : [stream.width, stream.height];
  const pixels = alphaDecoderOf(stream) === null ? (stream.pixelFormat ?? '') : 'yuva420p';
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
    pixelAspect: pixelAspectOf(stream, isRotated),
    frameRate: stream.averageFrameRate ?? stream.realFrameRate,
    isFullRange: !isRgb && (stream.colourRange === 'pc' || pixels.startsWith('yuvj')),
    matrix,
    transfer,
    // BT.601 only if declared: many small videos have the matrix of BT.601 and the primaries of BT.709.
    primaries: primaries[stream.colourPrimaries ?? ''] ?? (matrix === 'bt2020' ? 'bt2020' : 'bt709'),
    fieldOrder: fieldOrders[stream.fieldOrder ?? ''] ?? null,
    isRgb,
    hasAlpha: hasAlphaChannel(pixels),
    bits,
    isPlain: (bits === 8 ? ['yuv420p', 'yuvj420p'] : ['yuv420p10le']).includes(pixels),
    small: smallSizeOf(width, height),
  };
}

function pixelAspectOf({ sampleAspectRatio }: ProbeStream, isRotated: boolean): number {
  const [across = 1, down = 1] = (sampleAspectRatio ?? '').split(':').map(Number);
  const aspect = isRotated ? down / across : across / down;
  return aspect >= 1 / pixelAspectMax && aspect <= pixelAspectMax ? aspect : 1;
}

function smallSizeOf(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, smallSideMax / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
