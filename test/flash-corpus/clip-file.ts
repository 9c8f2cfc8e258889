import { spawnSync } from 'node:child_process';
import { createRandom } from '../chaos/random.ts';
import type { ClipFormat, Colour } from './clip-format.ts';
import type { NearClip } from './near-limit-clips.ts';

/** What does not flash varies by so many codes. */
const noiseCodes = 3;

/** Writes a clip without loss. */
export function writeClip(clip: NearClip, path: string): void {
  const { format, rate } = clip;
  const { width, height, drawnAs, pixelFormat, extension, isRgb, isFullRange, matrix } = format;
  const lossless = { mkv: ['ffv1'], mp4: ['libx264', '-preset', 'ultrafast', '-qp', '0'] };
  const colours = matrix === 'bt601' ? 'smpte170m' : 'bt709';
  const tags = [
    ...['-colorspace', colours, '-color_primaries', colours, '-color_trc', colours],
    ...['-color_range', isFullRange ? 'pc' : 'tv'],
  ];
  ffmpeg(
    [
      ...['-f', 'rawvideo', '-pix_fmt', drawnAs, '-s', `${width}x${height}`, '-r', `${rate}`, '-i', 'pipe:0'],
      ...['-pix_fmt', pixelFormat, '-c:v', ...lossless[extension], ...(isRgb ? [] : tags), path],
    ],
    Buffer.concat(drawFrames(clip)),
  );
}

/** The frames of a file: 4:2:0 of 8 bits, or RGB. */
export function readFrames(path: string, format: ClipFormat): Uint8Array[] {
  const { width, height, isRgb } = format;
  const pixels = width * height;
  const frameBytes = isRgb ? 3 * pixels : pixels + 2 * Math.ceil(width / 2) * Math.ceil(height / 2);
  const filter = `scale=flags=area,format=${isRgb ? 'gbrp' : 'yuv420p|yuvj420p'}`;
  const bytes = ffmpeg(['-i', path, '-fps_mode', 'passthrough', '-vf', filter, '-f', 'rawvideo', 'pipe:1']);
  return Array.from({ length: bytes.length / frameBytes }, (_, i) =>
    bytes.subarray(i * frameBytes, (i + 1) * frameBytes),
  );
}

/** Of each frame, in the precision of the container. */
export function timesOf({ rate, frameCount, format }: NearClip): number[] {
  const exact = Array.from({ length: frameCount }, (_, i) => i / rate);
  return format.extension === 'mkv' ? exact.map((seconds) => Math.round(seconds * 1000) / 1000) : exact;
}

function drawFrames({ format, regions, frameCount }: NearClip): Uint8Array[] {
  const { width, height, isRgb, drawnAs } = format;
  const pixels = width * height;
  const random = createRandom(pixels);
  const ground = random.between(60, 180);
  const noise = Uint8Array.from({ length: pixels * 2 }, () => ground + random.between(0, noiseCodes));
  return Array.from({ length: frameCount }, (_, frame) => {
    const shift = random.between(0, pixels - 1);
    const planes = [0, 1, 2].map((plane) =>
      isRgb || plane === 0 ? noise.slice(shift, shift + pixels) : new Uint8Array(pixels).fill(128),
    );
    for (const { mask, colours } of regions) {
      const colour = colours[frame] as Colour;
      for (let pixel = 0; pixel < pixels; pixel++) {
        if (mask[pixel])
          for (let plane = 0; plane < 3; plane++) (planes[plane] as Uint8Array)[pixel] = colour[plane] as number;
      }
    }
    const [first, second, third] = planes as [Uint8Array, Uint8Array, Uint8Array];
    if (isRgb) return Buffer.concat([second, third, first]);
    if (drawnAs === 'yuv444p') return Buffer.concat(planes);
    return Buffer.concat([first, halved(second, width, height), halved(third, width, height)]);
  });
}

/** One sample of four, the first. */
function halved(plane: Uint8Array, width: number, height: number): Uint8Array {
  const across = Math.ceil(width / 2);
  return Uint8Array.from(
    { length: across * Math.ceil(height / 2) },
    (_, i) => plane[2 * Math.floor(i / across) * width + 2 * (i % across)] as number,
  );
}

function ffmpeg(args: readonly string[], input: Uint8Array = new Uint8Array(0)): Buffer {
  const { stdout, stderr, status } = spawnSync('ffmpeg', ['-v', 'error', '-y', ...args], {
    input,
    maxBuffer: 2 ** 28,
    timeout: 60_000,
  });
  if (status !== 0) throw new Error(`ffmpeg ended with ${status}: ${stderr}`);
  return stdout;
}
