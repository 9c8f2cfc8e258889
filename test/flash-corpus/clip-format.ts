import type { TrackedFormat } from '../../packages/sidekicks/src/evidence/pass/flashes/samples/plain-tracker.ts';
import type { Random } from '../chaos/random.ts';

/** Codes of a pixel: Y, Cb, Cr, or of an RGB video R', G', B'. */
export type Colour = readonly [number, number, number];

export type ClipFormat = TrackedFormat & {
  /** What frames are drawn as, and what the file holds, as ffmpeg names them. */
  drawnAs: 'yuv420p' | 'yuvj420p' | 'yuv444p' | 'gbrp';
  pixelFormat: string;
  extension: 'mp4' | 'mkv';
};

const video = { transfer: 'bt1886', isRgb: false, isFullRange: false, matrix: 'bt709' } as const;
const plain = { ...video, drawnAs: 'yuv420p', pixelFormat: 'yuv420p' } as const;

const evenSizes = [
  { width: 160, height: 90 },
  { width: 128, height: 96 },
  { width: 192, height: 108 },
];
const oddSizes = [
  { width: 161, height: 91 },
  { width: 127, height: 97 },
];

/** One of each kind of file, in sizes by chance. MP4 here has even sizes alone; MKV rounds times to milliseconds. */
export function formatsOf(random: Random): ClipFormat[] {
  const even = () => random.pick(evenSizes);
  const any = () => random.pick([...evenSizes, ...oddSizes, ...oddSizes]);
  return [
    { ...plain, ...even(), extension: 'mp4' },
    { ...plain, ...any(), extension: 'mkv', matrix: 'bt601' },
    { ...plain, ...even(), extension: 'mp4', drawnAs: 'yuvj420p', pixelFormat: 'yuvj420p', isFullRange: true },
    { ...plain, ...any(), extension: 'mkv', matrix: 'bt601', isFullRange: true },
    { ...plain, ...even(), extension: 'mp4', drawnAs: 'yuv444p', pixelFormat: 'yuv444p' },
    { ...plain, ...any(), extension: 'mkv', pixelFormat: 'yuv420p10le' },
    { ...video, ...any(), extension: 'mkv', drawnAs: 'gbrp', pixelFormat: 'gbrp', transfer: 'srgb', isRgb: true },
  ];
}

export function codeRange({ isRgb, isFullRange }: ClipFormat): { black: number; white: number } {
  return isRgb || isFullRange ? { black: 0, white: 255 } : { black: 16, white: 235 };
}

export function greyOf({ isRgb }: ClipFormat, code: number): Colour {
  return isRgb ? [code, code, code] : [code, 128, 128];
}

/** Relative luminance, the share of linear red, and the place in CIE 1976 u'v' of a colour, by the text of the standards. */
export function lightOf(format: ClipFormat, colour: Colour) {
  const [r, g, b] = primesOf(format, colour).map((value) => linearOf(format, Math.max(0, Math.min(1, value)))) as [
    number,
    number,
    number,
  ];
  const x = 0.4124 * r + 0.3576 * g + 0.1805 * b;
  const y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  const z = 0.0193 * r + 0.1192 * g + 0.9505 * b;
  const sum = x + 15 * y + 3 * z || 1;
  return { luminance: y, redShare: r / (r + g + b || 1), u: (4 * x) / sum, v: (9 * y) / sum };
}

function primesOf({ isRgb, isFullRange, matrix }: ClipFormat, [first, second, third]: Colour): number[] {
  if (isRgb) return [first / 255, second / 255, third / 255];
  const [kr, kb] = matrix === 'bt601' ? [0.299, 0.114] : [0.2126, 0.0722];
  const luma = isFullRange ? first / 255 : (first - 16) / 219;
  const [pb, pr] = [second, third].map((code) => (code - 128) / (isFullRange ? 255 : 224)) as [number, number];
  const [red, blue] = [luma + 2 * (1 - kr) * pr, luma + 2 * (1 - kb) * pb];
  return [red, (luma - kr * red - kb * blue) / (1 - kr - kb), blue];
}

function linearOf({ transfer }: ClipFormat, value: number): number {
  if (transfer === 'bt1886') return value ** 2.4;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
