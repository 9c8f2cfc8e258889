import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { frameBytesOf } from '@assay/sidekicks/evidence/media/decode/flashes/tracker.ts';
import { ffmpegVersion } from '@assay/testing/media/made-by-ffmpeg.ts';
import { cachedSync } from '@assay/testing/run/cached.ts';
import { createRandom } from '@assay/testing/run/random.ts';
import { type ClipFormat, type Colour, neutralChromaOf } from './clip-format.ts';
import type { NearClip } from './near-limit-clips.ts';

const tagsOfPrimaries = {
  'bt601-525': { primaries: 'smpte170m', matrix: 'smpte170m' },
  'bt601-625': { primaries: 'bt470bg', matrix: 'bt470bg' },
  bt709: { primaries: 'bt709', matrix: 'bt709' },
  bt2020: { primaries: 'bt2020', matrix: 'bt2020nc' },
};
const tagsOfTransfer = { bt1886: 'bt709', srgb: 'iec61966-2-1', pq: 'smpte2084', hlg: 'arib-std-b67' };

/** Pixels that do not flash vary by up to this many codes. */
const noiseCodes = 3;

/** Takes a clip from the cache, or encodes it. Returns its path. */
export function cachedClip(clip: NearClip): string {
  const determinedBy = { ffmpegVersion, clip, madeBy: readFileSync(import.meta.filename) };
  return cachedSync('samples/near-limit', `.${clip.format.extension}`, determinedBy, (path) => writeClip(clip, path));
}

/** Encodes a clip losslessly. */
export function writeClip(clip: NearClip, path: string): void {
  const { format, rate } = clip;
  const { width, height, drawnAs, pixelFormat, extension, isRgb, isFullRange, bits } = format;
  const h264 = ['libx264', '-preset', 'ultrafast', '-qp', '0'];
  const h265 = ['libx265', '-preset', 'ultrafast', '-x265-params', 'lossless=1:log-level=error'];
  const lossless = { mkv: ['ffv1'], mp4: bits === 8 ? h264 : h265 };
  const { primaries, matrix } = tagsOfPrimaries[format.primaries];
  const tags = [
    ...['-color_primaries', primaries, '-color_trc', tagsOfTransfer[format.transfer]],
    ...(isRgb ? [] : ['-colorspace', matrix, '-color_range', isFullRange ? 'pc' : 'tv']),
  ];
  ffmpeg(
    [
      ...['-f', 'rawvideo', '-pix_fmt', drawnAs, '-s', `${width}x${height}`, '-r', `${rate}`, '-i', 'pipe:0'],
      ...['-pix_fmt', pixelFormat, '-c:v', ...lossless[extension], ...tags, path],
    ],
    Buffer.concat(drawFrames(clip)),
  );
}

/** Decodes the frames of a file to 4:2:0 or RGB, with the bit depth of the analysis. */
export function readFrames(path: string, format: ClipFormat): Uint8Array[] {
  const { isRgb, bits } = format;
  const frameBytes = frameBytesOf(format);
  const names = bits === 8 ? { yuv: 'yuv420p|yuvj420p', rgb: 'gbrp' } : { yuv: 'yuv420p10le', rgb: 'gbrp10le' };
  // Without this, ffmpeg would convert full-range 4:4:4 to limited range.
  const range = bits === 10 && format.isFullRange ? ':in_range=full:out_range=full' : '';
  const filter = `scale=flags=area${range},format=${names[isRgb ? 'rgb' : 'yuv']}`;
  const bytes = ffmpeg(['-i', path, '-fps_mode', 'passthrough', '-vf', filter, '-f', 'rawvideo', 'pipe:1']);
  return Array.from({ length: bytes.length / frameBytes }, (_, i) =>
    bytes.subarray(i * frameBytes, (i + 1) * frameBytes),
  );
}

/** The timestamps of the frames, with the precision of the container. */
export function timesOf({ rate, frameCount, format }: NearClip): number[] {
  const exact = Array.from({ length: frameCount }, (_, i) => i / rate);
  return format.extension === 'mkv' ? exact.map((seconds) => Math.round(seconds * 1000) / 1000) : exact;
}

function drawFrames({ format, regions, frameCount }: NearClip): Uint8Array[] {
  const { width, height, isRgb, drawnAs, bits } = format;
  const pixels = width * height;
  const random = createRandom(pixels);
  const background = random.between(60, 180) * 2 ** (bits - 8);
  const noise = Uint16Array.from({ length: pixels * 2 }, () => background + random.between(0, noiseCodes));
  const isSubsampled = drawnAs.includes('420');
  return Array.from({ length: frameCount }, (_, frame) => {
    const shift = random.between(0, pixels - 1);
    const planes = [0, 1, 2].map((plane) =>
      isRgb || plane === 0 ? noise.slice(shift, shift + pixels) : new Uint16Array(pixels).fill(neutralChromaOf(format)),
    );
    for (const { mask, colours } of regions) {
      const colour = colours[frame] as Colour;
      for (let pixel = 0; pixel < pixels; pixel++) {
        if (mask[pixel])
          for (let plane = 0; plane < 3; plane++) (planes[plane] as Uint16Array)[pixel] = colour[plane] as number;
      }
    }
    const [first, second, third] = planes as [Uint16Array, Uint16Array, Uint16Array];
    const inOrder = isRgb ? [second, third, first] : planes;
    const drawn = inOrder.map((plane, i) => (isSubsampled && i > 0 ? subsample(plane, width, height) : plane));
    return Buffer.concat(drawn.map((plane) => (bits === 8 ? Uint8Array.from(plane) : new Uint8Array(plane.buffer))));
  });
}

/** Keeps the first of every four samples. */
function subsample(plane: Uint16Array, width: number, height: number): Uint16Array {
  const across = Math.ceil(width / 2);
  return Uint16Array.from(
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
  if (status !== 0) throw new Error(`ffmpeg exited with ${status}: ${stderr}`);
  return stdout;
}
