import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { corpusFolder } from '@assay/testing/media/corpora.ts';
import { makeWithFfmpeg } from '@assay/testing/media/made-by-ffmpeg.ts';

const run = promisify(execFile);
const pieceSeconds = 10;
const noise = 'testsrc2=s=1920x1080:r=25,noise=alls=10:allf=t+u';
const audio = ['-f', 'lavfi', '-i', 'anoisesrc=c=pink:r=48000:a=0.2'];
const encodingArguments = [
  ...['-c:v', 'libx264', '-preset', 'veryfast', '-b:v', '15M', '-pix_fmt', 'yuv420p', '-g', '50'],
  ...['-c:a', 'aac', '-ac', '2'],
];
const recordingPath = (name: string) => join(corpusFolder('real'), name);
const smallSizeFilter = 'scale=640:360,setsar=1';
const fullSizeFilter = 'scale=1920:1080:flags=bicubic,setsar=1';

/** Recorded videos, as people publish them, with the kind of motion in each. */
const recordings = {
  'bigbuckbunny.mp4': 'cartoon',
  'bikes.mp4': 'sports-like',
  'mdn-crystal.mp4': 'hand-held',
  'mdn-rabbit.mp4': 'animal close-up',
  'intel-car-detection.mp4': 'traffic',
  'intel-one-by-one.mp4': 'people',
  'chaplin.mp4': 'old and grainy',
  'moviepy-example.mp4': 'outdoors',
};

type Composed = Record<string, { inputs: string[]; filter: string }>;

/** The ffmpeg inputs and filter for each kind of motion. */
const videosFromRecordings: Composed = {
  'a pan': {
    inputs: ['-loop', '1', '-framerate', '25', '-i', recordingPath('retina.jpg')],
    filter: "[0:v]scale=3840:-2,crop=1920:1080:x='(iw-ow)*(0.5+0.5*sin(t/3))':y='(ih-oh)/2',setsar=1[v]",
  },
  'a cut every second': {
    inputs: Object.keys(recordings).flatMap((name) => ['-stream_loop', '-1', '-i', recordingPath(name)]),
    filter: `${Object.keys(recordings)
      .map((_, i) => `[${i}:v]trim=0:1,fps=25,${fullSizeFilter}[v${i}]`)
      .join(';')};${Object.keys(recordings)
      .map((_, i) => `[v${i}]`)
      .join('')}concat=n=${Object.keys(recordings).length}[v]`,
  },
};
const generatedVideos: Composed = {
  confetti: {
    inputs: [
      ...['-f', 'lavfi', '-i', 'color=c=0x6080a0:s=1920x1080:r=25'],
      ...['-f', 'lavfi', '-i', 'life=s=160x90:r=25:ratio=0.04:seed=7:mold=12:life_color=0xffd040:death_color=0x404080'],
    ],
    filter:
      '[1:v]scale=1920:1080:flags=neighbor,format=yuva420p,colorchannelmixer=aa=0.8[c];[0:v][c]overlay,noise=alls=6:allf=t,setsar=1[v]',
  },
};

/** The recordings are not part of the repository; without them only generated videos are used. */
export const hasRecordings = existsSync(corpusFolder('real'));
const composedVideos = hasRecordings ? { ...videosFromRecordings, ...generatedVideos } : generatedVideos;

type Video = { name: string; path: string };
export type Videos = {
  /** Makes ordinary videos of this length, scaled to full size or in their native size. */
  ordinary(seconds: number, size: 'full' | 'native', most?: number): Promise<Video[]>;
  /** Makes a video in which every frame differs, so that no analysis can be skipped. */
  noise(seconds: number): Promise<string>;
  /** Makes a video that flashes five times a second, for this many seconds of every ten. */
  flashing(seconds: number, share: 1 | 10): Promise<string>;
  audio(seconds: number): Promise<string>;
  /** Makes a long ordinary video in 360p. */
  long(seconds: number): Promise<string>;
  /** Adds a second, different audio track in another language. */
  withTwoLanguages(path: string): Promise<string>;
  remove(): void;
};

/** Generates pieces of ten seconds once and repeats them without encoding them again. */
export function openVideos(): Videos {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-videos-'));
  const make = async (name: string, args: string[]) => {
    const path = join(folder, name);
    if (!existsSync(path)) await run('ffmpeg', ['-v', 'error', '-y', '-nostdin', ...args, path]);
    return path;
  };
  const repeat = (name: string, path: string, times: number) =>
    make(name, ['-stream_loop', `${Math.ceil(times) - 1}`, '-i', path, '-c', 'copy']);
  const lasting = async (name: string, piece: string, seconds: number) =>
    repeat(`${name}-${seconds}.mp4`, piece, seconds / pieceSeconds);

  const recorded = (name: string, filter: string) =>
    make(`piece-${filter.length}-${name}`, [
      ...['-stream_loop', '-1', '-i', recordingPath(name), ...audio, '-map', '0:v', '-map', '1:a'],
      ...['-vf', filter, '-t', `${pieceSeconds}`, ...encodingArguments],
    ]);
  const compose = (name: string) => {
    const { inputs, filter } = composedVideos[name] as (typeof composedVideos)[string];
    const audioIndex = inputs.filter((argument) => argument === '-i').length;
    return make(`piece-${name.replaceAll(' ', '-')}.mp4`, [
      ...[...inputs, ...audio, '-filter_complex', filter, '-map', '[v]', '-map', `${audioIndex}:a`],
      ...['-t', `${pieceSeconds}`, ...encodingArguments],
    ]);
  };
  const generated = (input: string) =>
    makeWithFfmpeg('.mp4', ['-f', 'lavfi', '-i', input, ...audio, '-t', `${pieceSeconds}`, ...encodingArguments]);

  return {
    ordinary: async (seconds, size, most = Number.POSITIVE_INFINITY) => {
      const videos: Video[] = [];
      for (const [file, kind] of hasRecordings ? Object.entries(recordings).slice(0, most) : []) {
        const piece = await recorded(file, size === 'full' ? fullSizeFilter : 'null');
        videos.push({ name: kind, path: await lasting(`${size}-${kind.replaceAll(/\W+/g, '-')}`, piece, seconds) });
      }
      if (size === 'native') return videos;
      for (const name of Object.keys(composedVideos).slice(0, most - videos.length)) {
        videos.push({ name, path: await lasting(name.replaceAll(' ', '-'), await compose(name), seconds) });
      }
      return videos;
    },
    noise: async (seconds) => lasting('noise', await generated(noise), seconds),
    flashing: async (seconds, share) => {
      const bright = `lutyuv=y=val*0.5+110:enable='lt(t,${share})*lt(mod(t,0.2),0.1)'`; // keeps detail
      return lasting(`flashing-${share}`, await generated(`${noise},${bright}`), seconds);
    },
    audio: (seconds) => makeWithFfmpeg('.m4a', [...audio, '-t', `${seconds}`, '-ac', '2', '-c:a', 'aac']),
    long: async (seconds) => {
      const [first] = Object.keys(composedVideos) as [string];
      const path = hasRecordings
        ? await recorded('bikes.mp4', smallSizeFilter)
        : await make('small.mp4', ['-i', await compose(first), '-vf', smallSizeFilter]);
      return lasting('long', path, seconds);
    },
    withTwoLanguages: (path) =>
      make(`two-languages-${basename(path)}`, [
        ...['-i', path, '-map', '0:v', '-map', '0:a', '-map', '0:a', '-c:v', 'copy', '-c:a:0', 'copy'],
        ...['-c:a:1', 'aac', '-filter:a:1', 'volume=0.9,areverse'],
        ...['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=deu'],
      ]),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
