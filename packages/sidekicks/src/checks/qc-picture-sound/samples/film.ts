import type { RuleCode } from '../rules.ts';

/** What has to be found, and where; without a time it holds for the whole film. */
export type Truth = { ruleCode: RuleCode; startMs?: number; endMs?: number };

/** How a film of the labelled set is made by ffmpeg, and what is wrong with it. */
export type Recipe = {
  name: string;
  extension: string;
  /** After `ffmpeg`, before the name of the file. */
  args: readonly string[];
  truth: readonly Truth[];
  /** Times are whole milliseconds; sound that is packed with loss rings. */
  toleranceMs: number;
  /** Only so much of the bytes is kept. */
  keptShare?: number;
  /** So many bytes in its middle are overwritten. */
  damagedBytes?: number;
};

export type FilmOptions = {
  name: string;
  extension?: string;
  /** Frames a second, as ffmpeg takes it. */
  rate?: string;
  seconds?: number;
  /** Filters after the moving picture; `null` for a file of sound alone. */
  picture?: string | null;
  source?: string;
  /** An expression for each channel, separated by bars; `null` for a film without sound. */
  sound?: string | null;
  soundSeconds?: number;
  sampleRate?: number;
  layout?: string;
  video?: readonly string[];
  audio?: readonly string[];
  truth?: readonly Truth[];
  toleranceMs?: number;
  keptShare?: number;
  damagedBytes?: number;
};

/** Left and right differ, at −20 dBFS. */
export const tones = '0.1*sin(440*2*PI*t)|0.1*sin(554*2*PI*t)';
const lossless = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0', '-g', '25'];
/** Every picture for itself: otherwise a still would pulse with the groups of pictures. */
const mpeg2 = ['-c:v', 'mpeg2video', '-q:v', '2', '-g', '1'];

/** Something like nature: soft and sharp, and all of it goes sideways. Drawn test pictures look like fields to a detector. */
export function moving(rate = '25', seconds = 8): string {
  return `mandelbrot=s=192x108:r=${rate}:start_scale=1.5,trim=duration=${seconds},hue=s=0.5,scroll=h=0.01`;
}

/** Something black and something white. */
export const contrast = 'drawbox=0:0:60:20:black:fill,drawbox=100:0:60:20:white:fill,format=yuv420p';
/** From 16 … 235 to 0 … 255, whatever the flag says. */
export const stretch =
  "lutyuv=y='clip((val-16)*255/219,0,255)':u='clip((val-128)*255/224+128,0,255)':v='clip((val-128)*255/224+128,0,255)'";

/** Of each kind of file, coders that keep black black and silence silent. */
const coders: Readonly<Record<string, { video: readonly string[]; audio: readonly string[] }>> = {
  mp4: { video: lossless, audio: ['-c:a', 'alac'] },
  mov: { video: lossless, audio: ['-c:a', 'pcm_s16le'] },
  mkv: { video: lossless, audio: ['-c:a', 'flac'] },
  ts: { video: lossless, audio: ['-c:a', 'mp2', '-b:a', '384k'] },
  avi: { video: ['-c:v', 'ffv1'], audio: ['-c:a', 'pcm_s16le'] },
  mpg: { video: mpeg2, audio: ['-c:a', 'mp2', '-b:a', '384k'] },
  mxf: { video: mpeg2, audio: ['-c:a', 'pcm_s16le'] },
  wav: { video: [], audio: ['-c:a', 'pcm_s16le'] },
  flac: { video: [], audio: ['-c:a', 'flac'] },
  aiff: { video: [], audio: [] },
  m4a: { video: [], audio: ['-c:a', 'aac', '-b:a', '256k'] },
  mp3: { video: [], audio: ['-c:a', 'libmp3lame', '-b:a', '256k'] },
  ogg: { video: [], audio: ['-c:a', 'libvorbis', '-q:a', '8'] },
};

export function film(options: FilmOptions): Recipe {
  const { name, extension = 'mp4', rate = '25', seconds = 8, picture = 'null', sound = tones, truth = [] } = options;
  const { video, audio } = coders[extension] ?? { video: lossless, audio: [] };
  const source = options.source ?? moving(rate, seconds);
  const rateHertz = options.sampleRate ?? 48_000;
  const layout = options.layout ?? (sound?.includes('|') ? 'stereo' : 'mono');
  const isLossy = ['m4a', 'mp3', 'ogg', 'ts', 'mpg'].includes(extension);
  return {
    name,
    extension,
    args: [
      ...(picture === null ? [] : ['-f', 'lavfi', '-i', `${source},${picture},format=yuv420p`]),
      ...(sound === null
        ? []
        : ['-f', 'lavfi', '-i', `aevalsrc='${sound}':s=${rateHertz}:c=${layout}:d=${options.soundSeconds ?? seconds}`]),
      ...(picture === null ? [] : (options.video ?? video)),
      ...(sound === null ? [] : (options.audio ?? audio)),
    ],
    truth,
    toleranceMs: options.toleranceMs ?? (isLossy ? 40 : 2),
    ...(options.keptShare && { keptShare: options.keptShare }),
    ...(options.damagedBytes && { damagedBytes: options.damagedBytes }),
  };
}

export function fps(rate: string): number {
  const [over = 25, under = 1] = rate.split('/').map(Number);
  return over / under;
}

/** When the first picture at or after this moment is shown. */
export function shownAt(seconds: number, rate = '25'): number {
  return Math.round((Math.ceil(seconds * fps(rate) - 1e-6) / fps(rate)) * 1000);
}

/** Paints all of the picture from one moment to another. */
export function paint(colour: string, from: number, to: number): string {
  return `drawbox=c=${colour}:t=fill:enable='gte(t,${from})*lt(t,${to})'`;
}

/** A picture stays for so many pictures more. ffmpeg counts it from 1, but for the very first. */
export function hold(firstPicture: number, more: number): string {
  const start = firstPicture === 0 ? 0 : firstPicture + 1;
  return `loop=loop=${more}:size=1:start=${start},setpts=N/FRAME_RATE/TB`;
}

/** An expression that is 0 from one moment to another, else 1. */
export function gate(from: number, to: number): string {
  return `(1-gte(t,${from})*lt(t,${to}))`;
}
