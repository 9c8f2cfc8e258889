import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Clip } from '#verify/media/flash-corpus/corpus.ts';
import { frameSize } from '#verify/media/flash-corpus/render.ts';

/** ffmpeg's photosensitivity filter would change a frame above this badness. */
const badnessMax = 1;

/** Whether ffmpeg's own filter considers a clip safe, judged on lossless frames. */
export async function isSafeToFilter(clip: Clip, frames: Uint8Array[], signal: AbortSignal): Promise<boolean> {
  const { width, height } = frameSize;
  const input = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`, '-r', String(clip.frameRate)];
  const filter = 'photosensitivity=bypass=1,metadata=print:key=lavfi.photosensitivity.badness:file=-';
  const ffmpeg = spawn('ffmpeg', ['-v', 'error', ...input, '-i', '-', '-vf', filter, '-f', 'null', '-'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    signal,
  });
  const said = text(ffmpeg.stdout);
  for (const frame of frames) if (!ffmpeg.stdin.write(frame)) await once(ffmpeg.stdin, 'drain');
  ffmpeg.stdin.end();
  const badness = [...(await said).matchAll(/badness=(\S+)/g)].map(([, value]) => Number(value));
  if (badness.length === 0) throw new Error(`ffmpeg reported no badness for ${clip.set} ${clip.name}`);
  return Math.max(...badness) <= badnessMax;
}

export async function readFfmpegVersion(): Promise<string> {
  return execFileSync('ffmpeg', ['-version'], { encoding: 'utf8' }).split(' ')[2] ?? 'unknown';
}
