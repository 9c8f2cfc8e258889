import { join } from 'node:path';
import { corpusFolder } from '@assay/testing/media/corpora.ts';

/** How one file is made. Exactly one of `ffmpeg` and `bytes` is present; the other steps follow in this order. */
export type Recipe = {
  /** Arguments of ffmpeg before the output file. */
  ffmpeg?: readonly string[];
  bytes?: () => Uint8Array | string;
  /** Arguments of exiftool that write tags. */
  exiftool?: readonly string[];
  /** The share of the file that is kept, from its start. */
  keptShare?: number;
  /** The number of bytes in the middle that are overwritten. */
  damagedBytes?: number;
  /** The rotation that an MP4 or MOV tells players to apply, as phones write it. */
  turnedDegrees?: 90 | 180;
  appended?: () => Uint8Array;
};

/** Maps file names to the way they are made. */
export type Recipes = Readonly<Record<string, Recipe>>;

/** A recorded file, which is not part of the repository. */
export const recordingPath = (name: string) => join(corpusFolder('real'), name);

export const isFromRecordings = ({ ffmpeg = [] }: Recipe) => ffmpeg.some((arg) => arg.includes(corpusFolder('real')));

export const lavfi = (source: string) => ['-f', 'lavfi', '-i', source];
export const repeatedRecording = (name: string) => ['-stream_loop', '-1', '-i', recordingPath(name)];

const sentences =
  'Thank you for having me. We began in a small workshop with two people and one old lathe. ' +
  'Every part was measured by hand and written down in a book. Later the orders came from other towns as well.';

/** Endless synthetic speech; `filter` is applied to it. */
export function speech(voice: 'awb' | 'kal' | 'rms' | 'slt', filter = 'anull'): string[] {
  return lavfi(`flite=voice=${voice}:text='${sentences}',aloop=loop=-1:size=160000,aresample=48000,${filter}`);
}

/** Endless music: chords with a beat, different on the left and right. A `gain` of 1 peaks near −6 dBFS. */
export function music(gain = 1, filter = 'anull'): string[] {
  const chord = (...notes: number[]) => notes.map((note) => `sin(${note}*2*PI*t)`).join('+');
  const beat = '(0.35+0.65*exp(-6*mod(t\\,0.5)))';
  const melody = 'sin(2*PI*t*(440+110*floor(mod(t\\,2)*2)))';
  const left = `${gain}*0.08*${beat}*(${chord(220, 277.2, 329.6)}+1.5*${melody})`;
  const right = `${gain}*0.08*${beat}*(${chord(221, 278.2, 415.3)}+1.2*${melody})`;
  return lavfi(`aevalsrc=exprs='${left}|${right}':s=48000,${filter}`);
}

export const h264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '22', '-pix_fmt', 'yuv420p', '-threads', '1'];
export const hevc = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error:pools=1'];
export const aac = ['-c:a', 'aac', '-b:a', '128k'];
export const stereo = ['-ac', '2'];
export const forSeconds = (seconds: number) => ['-t', `${seconds}`];
export const mapVideoAndAudio = ['-map', '0:v', '-map', '1:a'];

/** A filter that draws a line of text in the frame, optionally only between two times. */
export function drawText(
  text: string,
  { size = 24, x = '(w-tw)/2', y = '(h-th)/2', color = 'white', from = 0, to = 1e6 } = {},
): string {
  return `drawtext=text='${text}':fontsize=${size}:x='${x}':y='${y}':fontcolor=${color}:enable='between(t,${from},${to})'`;
}

/** Input with a photo; `toFields` moves the camera over it and produces 25 frames of two fields a second. */
export const pannedPhoto = ['-loop', '1', '-framerate', '50', '-i', recordingPath('coffee.png')];
export const toFields = "scale=1200:-2,crop=720:576:x='240+200*sin(t*1.5)':y='100+60*cos(t)',tinterlace=interleave_top";
