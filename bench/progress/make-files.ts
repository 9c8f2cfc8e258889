import { makeWithFfmpeg } from '@assay/testing/media/made-by-ffmpeg.ts';

export type MadeFile = {
  name: string;
  filename: string;
  path: string;
  /** Whether it takes long enough for its progress to be compared with the time. */
  isRequired: boolean;
};

const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
const video = (size: string, seconds: number, filter = 'null') => [
  ...['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=25,${filter}`, '-f', 'lavfi', '-i', 'sine'],
  ...['-t', String(seconds), ...x264],
];
/** Each black part makes an issue with stills. */
const black = "drawbox=t=fill:c=black:enable='lt(mod(t,8),3)'";
const flashing = "drawbox=c=white:t=fill:enable='mod(floor(t*10),2)*between(mod(t,10),2,4)'";

/** Files of every kind; those that are required take some ten seconds each on two cores. */
export async function makeFiles(): Promise<MadeFile[]> {
  const required = [
    ['video, 720p, 60 s', 'clip-720p.mp4', video('1280x720', 60)],
    ['video, 1080p, 20 s', 'clip-1080p.mp4', video('1920x1080', 20)],
    ['video, 1080p, 40 s, black parts', 'black.mp4', video('1920x1080', 40, black)],
    ['video, 720p, 60 s, flashes', 'flashes.mp4', video('1280x720', 60, flashing)],
    ['audio, 60 min', 'long.flac', ['-f', 'lavfi', '-i', 'sine=r=48000', '-ac', '2', '-t', '3600']],
  ] as const;
  const files: MadeFile[] = [];
  for (const [name, filename, args] of required) {
    files.push({ name, filename, path: await makeWithFfmpeg(`.${filename.split('.')[1]}`, args), isRequired: true });
  }
  const noise = ['-f', 'lavfi', '-i', 'nullsrc=s=4000x3000,geq=random(1)*255:128:128', '-frames:v', '1'];
  const image = await makeWithFfmpeg('.png', noise);
  return [...files, { name: 'image, 12 megapixels', filename: 'large.png', path: image, isRequired: false }];
}
