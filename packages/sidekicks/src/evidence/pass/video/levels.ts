import { lumaShares } from '../signal/luma.ts';
import { type LevelSample, levelSampleSize, type VideoFormat } from '../signal/observer.ts';
import type { Range } from '../signal/series.ts';

export type LevelRange = Range & {
  /** The largest share of the frame that is outside the limits, and its time. */
  share: number;
  worstSeconds: number;
  /** The lowest and highest level (luma, R, G or B) of pixels outside the limits; black is 16 and white 235. */
  low: number;
  high: number;
};

export type Levels = {
  /** Where more of the frame is outside the limits than EBU R 103 allows. Ranges less than 1 s apart are merged. */
  outside: LevelRange[];
  /** Histogram of the luma codes of the sampled pixels, in the range of the file. */
  lumaCounts: number[];
};

/** EBU R 103, version 3, in 8 bits. */
export const levelMin = 5;
export const levelMax = 246;
export const levelShareMax = 0.01;
const gapSeconds = 1;
const rangesMax = 10_000;
/** 8 bits are coarse: a colour just inside the limits may be computed as one step outside. */
const roundingSteps = 1;

const { width, height } = levelSampleSize;
const pixels = width * height;
/** The number of pixels that have all eight neighbours. */
const innerPixels = (width - 2) * (height - 2);

export function createLevelWatch(format: VideoFormat) {
  const measure = createMeasure(format);
  const lumaCounts = new Float64Array(256);
  const outside: LevelRange[] = [];
  let open: LevelRange | null = null;
  let pending: LevelRange | null = null; // ends at the time of the next frame

  return {
    take({ seconds, yuv }: LevelSample): void {
      if (pending) pending.endSeconds = seconds;
      pending = null;
      for (let at = 0; at < pixels; at++) {
        const code = yuv[at] as number;
        lumaCounts[code] = (lumaCounts[code] as number) + 1;
      }
      const { count, low, high } = measure(yuv);
      const share = count / innerPixels;
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
 * Counts the pixels outside the limits after averaging each pixel with its eight neighbours. The recommendation is
 * about areas: at sharp edges with subsampled chroma, every correct video has single pixels outside the limits, while
 * the mean of legal colours is always legal.
 */
function createMeasure({ matrix, isFullRange }: VideoFormat) {
  const { red, blue } = lumaShares[matrix];
  const green = 1 - red - blue;
  // From sums of nine codes to the scale of 16 to 235.
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
        // Luma is exact. R, G and B are computed from three rounded codes and have a tolerance of one step.
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

/** The sum of each pixel and its eight neighbours, except at the border. */
function sumNeighbours(plane: Uint8Array, columns: Uint16Array, sums: Uint16Array): void {
  for (let at = width; at < pixels - width; at++) {
    columns[at] = (plane[at - width] as number) + (plane[at] as number) + (plane[at + width] as number);
  }
  for (let at = width + 1; at < pixels - width - 1; at++) {
    sums[at] = (columns[at - 1] as number) + (columns[at] as number) + (columns[at + 1] as number);
  }
}
