import { AssetFailure } from '@assay/contract/asset-failures.ts';
import type { Probe, ProbeStream } from '../probe-report.ts';
import type { Film, PictureFormat, SoundFormat } from './observer.ts';

/** What of a file is decoded: the film, and the numbers of its streams. */
export type Reel = {
  film: Film;
  pictureStream: number | null;
  soundStreams: number[];
  /** Whether it begins anew when it ends, as pictures that move do. */
  isLoop: boolean;
};

const smallSideMax = 320;
const loops = new Set(['gif', 'apng']);
/** What flashes only where the end meets the beginning shows within this; as does one of two pictures that has no length. */
const replayedSeconds = 2;
/** Below it, pictures that do not name their matrix are of standard definition. */
const highDefinitionHeight = 720;

const matrices: Readonly<Record<string, PictureFormat['matrix']>> = {
  bt709: 'bt709',
  smpte170m: 'bt601',
  bt470bg: 'bt601',
  fcc: 'bt601',
  bt2020nc: 'bt2020',
  bt2020c: 'bt2020',
};
const transfers: Readonly<Record<string, PictureFormat['transfer']>> = {
  smpte2084: 'pq',
  'arib-std-b67': 'hlg',
  'iec61966-2-1': 'srgb',
};
const fieldOrders: Readonly<Record<string, PictureFormat['fieldOrder']>> = {
  progressive: 'progressive',
  tt: 'tff',
  tb: 'tff',
  bb: 'bff',
  bt: 'bff',
};

/**
 * The first picture that is no cover, and the first sound; two single channels at its head are left and right. Those of
 * which the container says too little to decode them are passed over, but not all of them: nobody would look, and it
 * would read as clean.
 */
export function reelOf(probe: Probe): Reel {
  const films = probe.streams.filter(({ kind, isAttachedPicture }) => kind === 'video' && !isAttachedPicture);
  const picture = known(films, ({ width, height }) => Boolean(width && height))[0];
  const tracks = probe.streams.filter(({ kind }) => kind === 'audio');
  const sounds = soundsOf(known(tracks, ({ sampleRate, channels }) => Boolean(sampleRate && channels)));
  const isLoop = loops.has(probe.container);
  return {
    isLoop,
    film: {
      durationSeconds: isLoop ? (probe.durationSeconds ?? 0) + replayedSeconds : probe.durationSeconds,
      picture: picture ? pictureFormatOf(picture) : null,
      sound: soundFormatOf(sounds),
    },
    pictureStream: picture?.index ?? null,
    soundStreams: sounds.map(({ index }) => index),
  };
}

function known(streams: ProbeStream[], isKnown: (stream: ProbeStream) => boolean): ProbeStream[] {
  const some = streams.filter(isKnown);
  const [first] = streams;
  if (!first || some.length > 0) return some;
  const cause = new Error(`nothing is known of the ${first.codec} in it`);
  throw new AssetFailure(first.codec === 'unknown' ? 'unsupported_codec' : 'corrupt_media', { cause });
}

function soundsOf(streams: ProbeStream[]): ProbeStream[] {
  const [first, second] = streams;
  if (!first) return [];
  const isPair = first.channels === 1 && second?.channels === 1 && first.sampleRate === second.sampleRate;
  return isPair ? [first, second] : [first];
}

function soundFormatOf(streams: ProbeStream[]): SoundFormat | null {
  const [first] = streams;
  if (!first?.sampleRate || !first.channels) return null;
  if (streams.length === 2) return { sampleRate: first.sampleRate, channels: 2, layout: 'stereo' };
  return { sampleRate: first.sampleRate, channels: first.channels, layout: first.channelLayout };
}

function pictureFormatOf(stream: ProbeStream): PictureFormat | null {
  if (!stream.width || !stream.height) return null;
  const isTurned = Math.abs(stream.rotation) % 180 === 90;
  const [width, height] = isTurned ? [stream.height, stream.width] : [stream.width, stream.height];
  const pixels = stream.pixelFormat ?? '';
  const isRgb = /^(gbr|rgb|bgr|0rgb|0bgr|argb|abgr|pal8)/.test(pixels);
  return {
    width,
    height,
    frameRate: stream.averageFrameRate ?? stream.realFrameRate,
    isFullRange: !isRgb && (stream.colourRange === 'pc' || pixels.startsWith('yuvj')),
    matrix: matrices[stream.colourMatrix ?? ''] ?? (height >= highDefinitionHeight ? 'bt709' : 'bt601'),
    transfer: transfers[stream.colourTransfer ?? ''] ?? (isRgb ? 'srgb' : 'bt1886'),
    fieldOrder: fieldOrders[stream.fieldOrder ?? ''] ?? null,
    isRgb,
    isPlain: pixels === 'yuv420p' || pixels === 'yuvj420p',
    small: shrink(width, height),
  };
}

function shrink(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, smallSideMax / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
