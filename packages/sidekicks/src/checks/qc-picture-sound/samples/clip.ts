import type { RuleCode } from '../rules.ts';

/** An expected finding. Without times it applies to the whole file. */
export type ExpectedFinding = { ruleCode: RuleCode; startMs?: number; endMs?: number };

/** How ffmpeg makes a sample clip, and the findings that are expected for it. */
export type Recipe = {
  name: string;
  extension: string;
  /** ffmpeg arguments before the output file. */
  args: readonly string[];
  expected: readonly ExpectedFinding[];
  /** Times are rounded to milliseconds, and lossy audio has pre- and post-ringing. */
  toleranceMs: number;
  /** The share of the bytes that is kept. */
  keptShare?: number;
  /** The number of bytes overwritten in the middle. */
  damagedBytes?: number;
};

export type ClipOptions = {
  name: string;
  extension?: string;
  /** Frame rate in ffmpeg's notation. */
  rate?: string;
  seconds?: number;
  /** Filters after the moving source; `null` for audio only. */
  videoFilter?: string | null;
  source?: string;
  /** An expression for each channel, separated by `|`; `null` for a video without audio. */
  audioExpression?: string | null;
  audioSeconds?: number;
  sampleRate?: number;
  layout?: string;
  video?: readonly string[];
  audio?: readonly string[];
  expected?: readonly ExpectedFinding[];
  toleranceMs?: number;
  keptShare?: number;
  damagedBytes?: number;
};

/** Different tones left and right, at −20 dBFS. */
export const tones = '0.1*sin(440*2*PI*t)|0.1*sin(554*2*PI*t)';
const lossless = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0', '-g', '25'];
/** Intra frames only: otherwise the quality of a still would vary within each group of pictures. */
const mpeg2 = ['-c:v', 'mpeg2video', '-q:v', '2', '-g', '1'];

/** Natural-looking content that moves sideways: the detector would mistake moving synthetic patterns for fields. */
export function movingSource(rate = '25', seconds = 8): string {
  return `mandelbrot=s=192x108:r=${rate}:start_scale=1.5,trim=duration=${seconds},hue=s=0.5,scroll=h=0.01`;
}

/** Adds a black and a white area. */
export const contrastAreas = 'drawbox=0:0:60:20:black:fill,drawbox=100:0:60:20:white:fill,format=yuv420p';
/** Expands the levels 16 to 235 to 0 to 255, whatever the range flag says. */
export const expandRange =
  "lutyuv=y='clip((val-16)*255/219,0,255)':u='clip((val-128)*255/224+128,0,255)':v='clip((val-128)*255/224+128,0,255)'";

/** For each container, codecs that preserve black and silence. */
const codecs: Readonly<Record<string, { video: readonly string[]; audio: readonly string[] }>> = {
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

export function clip(options: ClipOptions): Recipe {
  const {
    name,
    extension = 'mp4',
    rate = '25',
    seconds = 8,
    videoFilter = 'null',
    audioExpression = tones,
    expected = [],
  } = options;
  const { video, audio } = codecs[extension] ?? { video: lossless, audio: [] };
  const source = options.source ?? movingSource(rate, seconds);
  const rateHertz = options.sampleRate ?? 48_000;
  const layout = options.layout ?? (audioExpression?.includes('|') ? 'stereo' : 'mono');
  const isLossy = ['m4a', 'mp3', 'ogg', 'ts', 'mpg'].includes(extension);
  return {
    name,
    extension,
    args: [
      ...(videoFilter === null ? [] : ['-f', 'lavfi', '-i', `${source},${videoFilter},format=yuv420p`]),
      ...(audioExpression === null
        ? []
        : [
            '-f',
            'lavfi',
            '-i',
            `aevalsrc='${audioExpression}':s=${rateHertz}:c=${layout}:d=${options.audioSeconds ?? seconds}`,
          ]),
      ...(videoFilter === null ? [] : (options.video ?? video)),
      ...(audioExpression === null ? [] : (options.audio ?? audio)),
    ],
    expected,
    toleranceMs: options.toleranceMs ?? (isLossy ? 40 : 2),
    ...(options.keptShare && { keptShare: options.keptShare }),
    ...(options.damagedBytes && { damagedBytes: options.damagedBytes }),
  };
}

function fps(rate: string): number {
  const [over = 25, under = 1] = rate.split('/').map(Number);
  return over / under;
}

/** The time, in milliseconds, of the first frame at or after this time. */
export function frameTimeMs(seconds: number, rate = '25'): number {
  return Math.round((Math.ceil(seconds * fps(rate) - 1e-6) / fps(rate)) * 1000);
}

/** A filter that fills the whole frame with a colour during a time range. */
export function fillFrame(colour: string, from: number, to: number): string {
  return `drawbox=c=${colour}:t=fill:enable='gte(t,${from})*lt(t,${to})'`;
}

/** Repeats a frame `more` times. ffmpeg's `start` counts from 1, but is 0 for the first frame. */
export function repeatFrame(firstFrame: number, more: number): string {
  const start = firstFrame === 0 ? 0 : firstFrame + 1;
  return `loop=loop=${more}:size=1:start=${start},setpts=N/FRAME_RATE/TB`;
}

/** An expression that is 0 during a time range, otherwise 1. */
export function muteDuring(from: number, to: number): string {
  return `(1-gte(t,${from})*lt(t,${to}))`;
}
