import type { AssetErrorType } from '@assay/contract/asset-failures.ts';

/** The outcome of a file: refused at upload, checked completely, or failed with this error type. */
export type Verdict = 'refused 415' | 'complete' | AssetErrorType;

/** What a recipe can use to make its file. */
export type Fixture = {
  /** A valid file made by ffmpeg. */
  seed(name: SeedName): Buffer;
  /** Address of a listener that no tool may ever connect to: `127.0.0.1:40123`. */
  listener: string;
  /** Path of a file on this host that no tool may ever read. */
  canary: string;
};

export type Recipe = {
  /** Kind and variant, for example `truncated/mkv-45%`. */
  name: string;
  filename: string;
  make(fixture: Fixture): Uint8Array;
  expected: readonly Verdict[];
  /** The file once did harm, so it is in every sample. */
  isRegression?: true;
  /** Only the nightly run examines the file. */
  isSlow?: true;
};

const smallVideo = ['-f', 'lavfi', '-i', 'testsrc=s=160x90:d=1.5:r=25'];
const tone = ['-f', 'lavfi', '-i', 'sine=d=1.5:r=44100'];
const video = [...smallVideo, ...tone];
const quietEnd = [
  ...['-f', 'lavfi', '-i', 'anoisesrc=d=5:r=44100', '-f', 'lavfi', '-i', 'anullsrc=r=44100:d=200'],
  ...['-filter_complex', '[0][1]concat=n=2:v=0:a=1,aformat=channel_layouts=mono', '-t', '205'],
];
const manyTones = Array.from({ length: 16 }, (_, i) => `sin(${200 + 10 * i}*2*PI*t)/4`).join('|');
const largeVideo = (size: string, frames: number) => [
  '-f',
  'lavfi',
  '-i',
  `color=s=${size}:r=25`,
  '-frames:v',
  `${frames}`,
];

/** The ffmpeg arguments for each file; the container follows from the extension unless given. */
export const seeds = {
  'head-first.mp4': [...video, '-movflags', 'faststart'],
  'head-last.mp4': video,
  'fragmented.mp4': [...video, '-movflags', 'frag_keyframe+empty_moov', '-g', '5'],
  'video.mov': video,
  'video.mkv': video,
  'video.webm': [...video, '-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus'],
  'video.avi': video,
  'video.mpg': video,
  'video.ts': video,
  'video.3gp': [...smallVideo, ...tone, '-s', '176x144', '-c:v', 'h263', '-c:a', 'aac', '-ar', '8000', '-ac', '1'],
  'video.mxf': ['-f', 'lavfi', '-i', 'color=s=720x576:d=0.2:r=25', '-f', 'lavfi', '-i', 'sine=d=0.2:r=48000'],
  'tone.mp3': tone,
  'tone.m4a': tone,
  'tone.aac': tone,
  'tone.wav': tone,
  'tone.flac': tone,
  'tone.ogg': [...tone, '-c:a', 'libvorbis'],
  'tone.opus': [...tone, '-c:a', 'libopus'],
  'tone.aiff': tone,
  'moving.gif': [...smallVideo, '-r', '10'],
  'moving.apng': [...smallVideo, '-r', '10', '-f', 'apng'],
  'still.png': [...smallVideo, '-frames:v', '1'],
  'still.jpg': [...smallVideo, '-frames:v', '1'],
  'still.webp': [...smallVideo, '-frames:v', '1'],
  'still.avif': [...smallVideo, '-frames:v', '1', '-c:v', 'libaom-av1', '-cpu-used', '8'],
  'thousand-a-second.mp4': ['-f', 'lavfi', '-i', 'testsrc=s=64x36:d=1:r=1000'],
  'thousand-a-second.mkv': ['-f', 'lavfi', '-i', 'testsrc=s=64x36:d=1:r=1000', '-c:v', 'mjpeg'],
  '8k.mp4': [...largeVideo('7680x4320', 2), '-preset', 'ultrafast'],
  '8k.ts': [...largeVideo('7680x4320', 2), '-preset', 'ultrafast'],
  '8k.jpg': largeVideo('7680x4320', 1),
  '16k.mkv': [...largeVideo('15360x8640', 1), '-c:v', 'png'],
  '16k.mov': [...largeVideo('15360x8640', 1), '-c:v', 'png'],
  'larger.ts': ['-f', 'lavfi', '-i', 'testsrc=s=320x180:d=8:r=25', '-f', 'lavfi', '-i', 'sine=d=8:r=44100'],
  'stereo.ts': [...smallVideo, '-f', 'lavfi', '-i', 'sine=d=1.5:r=48000', '-ac', '2'],
  'larger.jpg': ['-f', 'lavfi', '-i', 'testsrc=s=320x180', '-frames:v', '1'],
  'other-format.jpg': [...smallVideo, '-frames:v', '1', '-pix_fmt', 'yuvj444p'],
  'long.ts': [
    ...['-f', 'lavfi', '-i', 'testsrc=s=160x90:d=80:r=25', '-f', 'lavfi', '-i', 'sine=d=80:r=44100'],
    ...['-c:v', 'mpeg2video', '-b:v', '60k', '-c:a', 'mp2', '-b:a', '64k'],
  ],
  'quiet-end.aac': [...quietEnd, '-b:a', '256k'],
  'quiet-end.mp3': [...quietEnd, '-q:a', '2', '-write_xing', '0'],
  'many.wav': ['-f', 'lavfi', '-i', `aevalsrc=${manyTones}:d=1:s=48000`],
  'slow.mkv': ['-f', 'lavfi', '-i', 'testsrc=s=160x90:d=20:r=1', '-f', 'lavfi', '-i', 'sine=d=20:r=44100'],
} satisfies Record<string, string[]>;

export type SeedName = keyof typeof seeds;
