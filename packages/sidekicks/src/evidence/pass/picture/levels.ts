import { type LevelSample, levelSampleSize, type PictureFormat } from '../observer.ts';
import type { Range } from '../series.ts';
import { lumaShares } from './luma.ts';

export type LevelRange = Range & {
  /** Of the picture, at its worst, and when that was. */
  share: number;
  worstSeconds: number;
  /** The lowest and highest level of what is outside: of luma, red, green or blue, on the scale whose black is 16 and white 235. */
  low: number;
  high: number;
};

export type Levels = {
  /** Where more of the picture than EBU R 103 lets pass lies outside its limits; those less than a second apart are one. */
  outside: LevelRange[];
  /** How many of the pixels that were looked at have each luma, as it stands in the file. */
  lumaCounts: number[];
};

/** EBU R 103, version 3, of 8 bits. */
export const levelMin = 5;
export const levelMax = 246;
export const levelShareMax = 0.01;
const gapSeconds = 1;
const rangesMax = 10_000;
/** Eight bits are coarse: a colour that is just inside may come out one beyond. */
const roundingSteps = 1;

const { width, height } = levelSampleSize;
const pixels = width * height;
/** Those that have a neighbour on every side. */
const inner = (width - 2) * (height - 2);

export function createLevelWatch(format: PictureFormat) {
  const measure = createMeasure(format);
  const lumaCounts = new Float64Array(256);
  const outside: LevelRange[] = [];
  let open: LevelRange | null = null;
  let pending: LevelRange | null = null; // its end is the time of the next picture

  return {
    take({ seconds, yuv }: LevelSample): void {
      if (pending) pending.endSeconds = seconds;
      pending = null;
      for (let at = 0; at < pixels; at++) {
        const code = yuv[at] as number;
        lumaCounts[code] = (lumaCounts[code] as number) + 1;
      }
      const { count, low, high } = measure(yuv);
      const share = count / inner;
      if (share <= levelShareMax) return;
      if (!open || seconds - open.endSeconds > gapSeconds) {
        open = { startSeconds: seconds, endSeconds: seconds, share: 0, worstSeconds: seconds, low, high };
        if (outside.length < rangesMax) outside.push(open);
      }
      if (share > open.share) Object.assign(open, { share, worstSeconds: seconds });
      open.low = Math.min(open.low, low);
      open.high = Math.max(open.high, high);
      pending = open;
    },

    end(endSeconds: number): Levels {
      if (pending) pending.endSeconds = endSeconds;
      return { outside, lumaCounts: [...lumaCounts] };
    },
  };
}

/**
 * Counts what is outside, after each pixel has been averaged with the eight around it. The recommendation means areas:
 * where sharp edges meet halved chroma, single pixels are outside in every honest picture, while the mean of legal colours
 * is always legal.
 */
function createMeasure({ matrix, isFullRange }: PictureFormat) {
  const { red, blue } = lumaShares[matrix];
  const green = 1 - red - blue;
  // From codes to the scale of 16 to 235; sums of nine are divided on the way.
  const [lumaScale, chromaScale] = isFullRange ? [219 / 255 / 9, 219 / 255 / 9] : [1 / 9, 219 / 224 / 9];
  const lumaStart = isFullRange ? 16 : 0;
  const redOfCr = 2 * (1 - red) * chromaScale;
  const greenOfCr = ((-2 * red * (1 - red)) / green) * chromaScale;
  const greenOfCb = ((-2 * blue * (1 - blue)) / green) * chromaScale;
  const blueOfCb = 2 * (1 - blue) * chromaScale;
  const [least, most] = [levelMin - roundingSteps, levelMax + roundingSteps];
  const planes = [0, 1, 2].map(() => new Uint16Array(pixels));
  const columns = new Uint16Array(pixels);

  return (yuv: Uint8Array) => {
    for (const [plane, sums] of planes.entries())
      sumNeighbours(yuv.subarray(plane * pixels, (plane + 1) * pixels), columns, sums);
    const [lumaSums, cbSums, crSums] = planes as [Uint16Array, Uint16Array, Uint16Array];
    let count = 0;
    let low = 255;
    let high = 0;
    for (let row = 1; row < height - 1; row++) {
      for (let at = row * width + 1, end = at + width - 2; at < end; at++) {
        const y = lumaStart + lumaScale * (lumaSums[at] as number);
        const cb = (cbSums[at] as number) - 9 * 128;
        const cr = (crSums[at] as number) - 9 * 128;
        const r = y + redOfCr * cr;
        const g = y + greenOfCr * cr + greenOfCb * cb;
        const b = y + blueOfCb * cb;
        // Luma is exact; what is computed from three rounded codes is given a step.
        const isOutside =
          y < levelMin || y > levelMax || r < least || r > most || g < least || g > most || b < least || b > most;
        if (!isOutside) continue;
        count++;
        low = Math.min(low, y, r, g, b);
        high = Math.max(high, y, r, g, b);
      }
    }
    return { count, low, high };
  };
}

/** The sum of each pixel and its eight neighbours; what lies at the border is left out. */
function sumNeighbours(plane: Uint8Array, columns: Uint16Array, sums: Uint16Array): void {
  for (let at = width; at < pixels - width; at++) {
    columns[at] = (plane[at - width] as number) + (plane[at] as number) + (plane[at + width] as number);
  }
  for (let at = width + 1; at < pixels - width - 1; at++) {
    sums[at] = (columns[at - 1] as number) + (columns[at] as number) + (columns[at + 1] as number);
  }
}
