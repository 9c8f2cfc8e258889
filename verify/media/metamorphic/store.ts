import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Content, frameSize } from './contents.ts';
import { trimByEditList } from './edit-list.ts';
import { audioArguments, captionCodecs, videoArguments } from './encodings.ts';
import type { Storage } from './ways.ts';

const run = promisify(execFile);

/** Draws the clip and stores it in this way, in a file at this path. */
export async function storeClip(content: Content, storage: Storage, path: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-clip-'));
  const ffmpeg = (...args: string[]) => run('ffmpeg', ['-v', 'error', '-y', '-nostdin', ...args], { cwd: folder });
  try {
    await writeFile(join(folder, 'captions.srt'), content.captions ?? '');
    const made = `made.${storage.extension}`;
    if (storage.changesSize) await storeInTwoSizes(content, storage, made, ffmpeg);
    else await ffmpeg(...argumentsFor(content, storage), made);
    // The muxer declares a rotation only for a stream that it copies.
    if (storage.rotatedDegrees) {
      const copy = ['-map', '0', '-c', 'copy', '-metadata:s:v', `rotate=${storage.rotatedDegrees}`];
      await ffmpeg('-i', made, ...copy, `rotated-${made}`);
      await rename(join(folder, `rotated-${made}`), join(folder, made));
    }
    if (storage.trimmedSeconds) {
      const kept = { startSeconds: storage.trimmedSeconds, seconds: content.seconds };
      await writeFile(join(folder, made), trimByEditList(await readFile(join(folder, made)), kept));
    }
    await copyFile(join(folder, made), path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function argumentsFor(content: Content, storage: Storage): string[] {
  const { extension, video, audio, filters = 'null', muxer = [] } = storage;
  const codecs = [...videoArguments(video), ...audioArguments(audio)];
  return [
    ...captionInput(content),
    ...[
      '-filter_complex',
      [`${content.video},${filters}${leader(storage)}[v]`, audioGraph(content, storage)].join(';'),
    ],
    ...mapsFor(content, storage, '[v]'),
    ...['-fps_mode', 'passthrough', ...codecs, ...captionArguments(content, extension), ...muxer],
  ];
}

/**
 * Stores the two halves as streams of H.264 with different parameters, one after the other. Timestamps are counted from
 * the frame rate, so there are no B-frames.
 */
async function storeInTwoSizes(
  content: Content,
  storage: Storage,
  made: string,
  ffmpeg: (...args: string[]) => Promise<unknown>,
): Promise<void> {
  const { rate, seconds, video } = content;
  const half = Math.round((rate * seconds) / 2);
  const double = `scale=${2 * frameSize.width}:-1:flags=bilinear`;
  const halves = `${video},split[a][b];[a]trim=end_frame=${half}[one];[b]trim=start_frame=${half},setpts=PTS-STARTPTS,${double}[two]`;
  const h264 = ['-fps_mode', 'passthrough', ...videoArguments('h264'), '-f', 'h264'];
  const parts = ['one', 'two'].flatMap((part) => ['-map', `[${part}]`, ...h264, `${part}.h264`]);
  await ffmpeg('-filter_complex', halves, ...parts);
  await ffmpeg(
    ...['-r', `${rate}`, '-f', 'h264', '-i', 'concat:one.h264|two.h264', ...captionInput(content)],
    ...['-filter_complex', audioGraph(content, storage), ...mapsFor(content, storage, '0:v')],
    ...['-c:v', 'copy', ...audioArguments(storage.audio), ...captionArguments(content, storage.extension)],
    ...[...(storage.muxer ?? []), made],
  );
}

/** What an edit list takes away: white and black frames that flash, with loud noise. */
const leader = ({ trimmedSeconds }: Storage) =>
  trimmedSeconds
    ? `,tpad=start_duration=${trimmedSeconds}:stop_duration=${trimmedSeconds},drawbox=color=white:t=fill:enable='lt(t,${trimmedSeconds})*lt(mod(n,4),2)'`
    : '';

function audioGraph({ audio }: Content, { tracks, trimmedSeconds }: Storage): string {
  const padded = trimmedSeconds
    ? `${audio},adelay=${trimmedSeconds * 1000}:all=1,apad=pad_dur=${trimmedSeconds}`
    : audio;
  if (tracks === 'two mono') return `${padded},channelsplit=channel_layout=stereo[a0][a1]`;
  if (tracks === 'twice') return `${padded},asplit[a0][a1]`;
  return `${padded}[a0]`;
}

function mapsFor({ captions }: Content, { tracks, order }: Storage, video: string): string[] {
  const streams = {
    video: [video],
    audio: tracks ? ['[a0]', '[a1]'] : ['[a0]'],
    captions: captions ? [captionStream(video)] : [],
  };
  return (order ?? ['video', 'audio', 'captions']).flatMap((name) => streams[name]).flatMap((map) => ['-map', map]);
}

/** Captions are the last input: the first, unless the video is one. */
const captionStream = (video: string) => (video === '[v]' ? '0:s' : '1:s');
const captionInput = ({ captions }: Content) => (captions ? ['-i', 'captions.srt'] : []);

function captionArguments({ captions }: Content, extension: string): string[] {
  return captions ? ['-c:s', captionCodecs[extension] as string, '-metadata:s:s', 'language=eng'] : [];
}
