import type { TrackedFormat } from '@assay/sidekicks/evidence/media/decode/flashes/tracker.ts';
import type { Random } from '@assay/testing/run/random.ts';

/** Codes of a pixel: Y, Cb, Cr, or R', G', B' of an RGB video. */
export type Colour = readonly [number, number, number];

export type ClipFormat = TrackedFormat & {
  /** ffmpeg's names of the pixel formats in which frames are drawn (`drawnAs`) and stored. */
  drawnAs: 'yuv420p' | 'yuvj420p' | 'yuv444p' | 'gbrp' | 'yuv420p10le' | 'yuv444p10le' | 'gbrp10le';
  pixelFormat: string;
  extension: 'mp4' | 'mkv';
};

const videoFormat = { transfer: 'bt1886', isRgb: false, isFullRange: false, bits: 8 } as const;
const rec709 = { matrix: 'bt709', primaries: 'bt709' } as const;
const plainFormat = { ...videoFormat, ...rec709, drawnAs: 'yuv420p', pixelFormat: 'yuv420p' } as const;
const hdrFormat = { ...videoFormat, matrix: 'bt2020', primaries: 'bt2020', bits: 10 } as const;
const drawnAndStoredAs = (pixelFormat: ClipFormat['drawnAs']) => ({ drawnAs: pixelFormat, pixelFormat });

type Size = { width: number; height: number };
export type FrameSizes = { even: Size[]; odd: Size[] };

export const usualSizes: FrameSizes = {
  even: [
    { width: 160, height: 90 },
    { width: 128, height: 96 },
    { width: 192, height: 108 },
  ],
  odd: [
    { width: 161, height: 91 },
    { width: 127, height: 97 },
  ],
};
/** Sizes for a short run: small, because the reference implementation examines every pixel. */
export const smallSizes: FrameSizes = {
  even: [
    { width: 96, height: 54 },
    { width: 80, height: 60 },
    { width: 112, height: 64 },
  ],
  odd: [
    { width: 97, height: 55 },
    { width: 79, height: 61 },
  ],
};

/** One format of each kind, in random sizes. MP4 only has even sizes here; MKV rounds timestamps to milliseconds. */
export function formatsOf(random: Random, sizes: FrameSizes): ClipFormat[] {
  const even = () => random.pick(sizes.even);
  const any = () => random.pick([...sizes.even, ...sizes.odd, ...sizes.odd]);
  const in525Lines = { matrix: 'bt601', primaries: 'bt601-525' } as const;
  const in625Lines = { matrix: 'bt601', primaries: 'bt601-625' } as const;
  return [
    { ...plainFormat, ...even(), extension: 'mp4' },
    { ...plainFormat, ...any(), extension: 'mkv', ...in525Lines },
    { ...plainFormat, ...even(), extension: 'mp4', drawnAs: 'yuvj420p', pixelFormat: 'yuvj420p', isFullRange: true },
    { ...plainFormat, ...any(), extension: 'mkv', ...in625Lines, isFullRange: true },
    { ...plainFormat, ...even(), extension: 'mp4', drawnAs: 'yuv444p', pixelFormat: 'yuv444p' },
    { ...plainFormat, ...any(), extension: 'mkv', pixelFormat: 'yuv420p10le' },
    { ...plainFormat, ...any(), extension: 'mkv', drawnAs: 'gbrp', pixelFormat: 'gbrp', transfer: 'srgb', isRgb: true },
    { ...hdrFormat, ...even(), extension: 'mp4', transfer: 'pq', ...drawnAndStoredAs('yuv420p10le') },
    { ...hdrFormat, ...any(), extension: 'mkv', transfer: 'hlg', ...drawnAndStoredAs('yuv420p10le') },
    { ...hdrFormat, ...any(), extension: 'mkv', transfer: 'pq', ...drawnAndStoredAs('yuv420p10le'), isFullRange: true },
    {
      ...hdrFormat,
      ...any(),
      extension: 'mkv',
      transfer: 'hlg',
      ...drawnAndStoredAs('yuv444p10le'),
      isFullRange: true,
    },
    { ...hdrFormat, ...any(), extension: 'mkv', transfer: 'pq', ...drawnAndStoredAs('gbrp10le'), isRgb: true },
    { ...hdrFormat, ...any(), extension: 'mkv', transfer: 'hlg', ...drawnAndStoredAs('gbrp10le'), isRgb: true },
  ];
}

/** The number of codes that correspond to one 8-bit code. */
const codesPerEightBitCode = ({ bits }: ClipFormat) => 2 ** (bits - 8);
const codeMaxOf = ({ bits }: ClipFormat) => 2 ** bits - 1;
/** The chroma code of grey. */
export const neutralChromaOf = (format: ClipFormat) => 128 * codesPerEightBitCode(format);

export function codeRange(format: ClipFormat): { black: number; white: number } {
  if (format.isRgb || format.isFullRange) return { black: 0, white: codeMaxOf(format) };
  return { black: 16 * codesPerEightBitCode(format), white: 235 * codesPerEightBitCode(format) };
}

export function greyOf(format: ClipFormat, code: number): Colour {
  const neutral = neutralChromaOf(format);
  return format.isRgb ? [code, code, code] : [code, neutral, neutral];
}

/** The nearest 8-bit code. */
export function toEightBits(format: ClipFormat, code: number): number {
  const isScaled = format.isRgb || format.isFullRange;
  return Math.round(isScaled ? (code * 255) / codeMaxOf(format) : code / codesPerEightBitCode(format));
}

type Triple = readonly [number, number, number];

const toXyzBy: Record<ClipFormat['primaries'], readonly [Triple, Triple, Triple]> = {
  'bt601-525': [
    [0.3936, 0.3652, 0.1916],
    [0.2124, 0.701, 0.0866],
    [0.0187, 0.1119, 0.9582],
  ],
  'bt601-625': [
    [0.4306, 0.3415, 0.1783],
    [0.222, 0.7067, 0.0713],
    [0.0202, 0.1296, 0.9391],
  ],
  bt709: [
    [0.4124, 0.3576, 0.1805],
    [0.2126, 0.7152, 0.0722],
    [0.0193, 0.1192, 0.9505],
  ],
  bt2020: [
    [0.637, 0.1446, 0.1689],
    [0.2627, 0.678, 0.0593],
    [0, 0.0281, 1.061],
  ],
};

/** Relative luminance, share of linear red, and CIE 1976 u'v' of a colour, computed as the standards define them. */
export function lightOf(format: ClipFormat, colour: Colour) {
  const linear = linearBy[format.transfer];
  const rgb = nonlinearRgbOf(format, colour).map((value) => linear(Math.max(0, Math.min(1, value))));
  const [r, g, b] = rgb as unknown as Triple;
  const [x, y, z] = toXyzBy[format.primaries].map((row) => row[0] * r + row[1] * g + row[2] * b) as unknown as Triple;
  const sum = x + 15 * y + 3 * z || 1;
  // BT.2100: HLG encodes scene light; a display of 1,000 cd/m² applies a gamma of 1.2 to luminance.
  const luminance = format.transfer === 'hlg' ? (1000 / 200) * y ** 1.2 : y;
  return { luminance, redShare: r / (r + g + b || 1), u: (4 * x) / sum, v: (9 * y) / sum };
}

const lumaSharesBy = { bt601: [0.299, 0.114], bt709: [0.2126, 0.0722], bt2020: [0.2627, 0.0593] } as const;

function nonlinearRgbOf(format: ClipFormat, [first, second, third]: Colour): number[] {
  const { isRgb, isFullRange, matrix } = format;
  const [fineness, codeMax] = [codesPerEightBitCode(format), codeMaxOf(format)];
  if (isRgb) return [first / codeMax, second / codeMax, third / codeMax];
  const [kr, kb] = lumaSharesBy[matrix];
  const luma = isFullRange ? first / codeMax : (first - 16 * fineness) / (219 * fineness);
  const chromaOf = (code: number) => (code - 128 * fineness) / (isFullRange ? codeMax : 224 * fineness);
  const [pb, pr] = [chromaOf(second), chromaOf(third)];
  const [red, blue] = [luma + 2 * (1 - kr) * pr, luma + 2 * (1 - kb) * pb];
  return [red, (luma - kr * red - kb * blue) / (1 - kr - kb), blue];
}

const linearBy: Record<ClipFormat['transfer'], (value: number) => number> = {
  bt1886: (value) => value ** 2.4,
  srgb: (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4),
  // BT.2100, table 4: up to 10,000 cd/m², here relative to 200.
  pq: (value) => {
    const [c1, c2, c3] = [3424 / 4096, 2413 / 128, 2392 / 128];
    const root = value ** (32 / 2523);
    return (10_000 / 200) * (Math.max(root - c1, 0) / (c2 - c3 * root)) ** (16_384 / 2610);
  },
  // BT.2100, table 5: the inverse of the OETF.
  hlg: (value) => {
    const a = 0.17883277;
    const b = 1 - 4 * a;
    const c = 0.5 - a * Math.log(4 * a);
    return value <= 0.5 ? value ** 2 / 3 : (Math.exp((value - c) / a) + b) / 12;
  },
};
