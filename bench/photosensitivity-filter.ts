import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Clip } from '../test/flash-corpus/corpus.ts';
import { pictureSize } from '../test/flash-corpus/render.ts';

/** ffmpeg's photosensitivity filter would change the picture above this badness. */
const badnessMax = 1;

/** What ffmpeg's own filter says of a clip that it is shown without loss. */
export async function isSafeToFilter(clip: Clip, pictures: Uint8Array[], signal: AbortSignal): Promise<boolean> {
  const { width, height } = pictureSize;
  const input = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`, '-r', String(clip.frameRate)];
  const filter = 'photosensitivity=bypass=1,metadata=print:key=lavfi.photosensitivity.badness:file=-';
  const ffmpeg = spawn('ffmpeg', ['-v', 'error', ...input, '-i', '-', '-vf', filter, '-f', 'null', '-'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    signal,
  });
  const said = text(ffmpeg.stdout);
  for (const picture of pictures) if (!ffmpeg.stdin.write(picture)) await once(ffmpeg.stdin, 'drain');
  ffmpeg.stdin.end();
  const badness = [...(await said).matchAll(/badness=(\S+)/g)].map(([, value]) => Number(value));
  if (badness.length === 0) throw new Error(`ffmpeg said nothing of ${clip.set} ${clip.name}`);
  return Math.max(...badness) <= badnessMax;
}

export async function readFfmpegVersion(): Promise<string> {
  return execFileSync('ffmpeg', ['-version'], { encoding: 'utf8' }).split(' ')[2] ?? 'unknown';
}
