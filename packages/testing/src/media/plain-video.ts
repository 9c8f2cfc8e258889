import { makeWithFfmpeg } from './made-by-ffmpeg.ts';

/** Makes a video with audio, for tests that need any video whose examination takes a moment. Returns its path. */
export function makePlainVideo(seconds: number): Promise<string> {
  return makeWithFfmpeg('.mp4', [
    ...['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25', '-f', 'lavfi', '-i', 'sine', '-t', `${seconds}`],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '45', '-g', '250', '-c:a', 'aac', '-b:a', '32k'],
  ]);
}
