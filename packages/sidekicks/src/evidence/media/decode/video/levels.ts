import { loadKernel } from '../signal/kernel.ts';
import { lumaShares } from '../signal/luma.ts';
import { type LevelSample, levelSampleSize, type VideoFormat } from '../signal/observer.ts';
import type { Range } from '../signal/series.ts';

export type LevelRange = Range & {
  /** The largest share of a frame that is outside the limits, and the time of that frame. */
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

/**
 * The kernel computes with integers; sums of nine codes times chroma coefficients with 18 fractional bits fit in 32
 * bits.
 */
const fixedPoint = 2 ** 18;

const pixelCount = levelSampleSize.width * levelSampleSize.height;

export function createLevelWatch(format: VideoFormat) {
  const measure = createMeasure(format);
  const lumaCounts = new Float64Array(256);
  const outside: LevelRange[] = [];
  let open: LevelRange | null = null;
  let pending: LevelRange | null = null; // the end of the range becomes the time of the next frame

  return {
    take({ seconds, codes, sums }: LevelSample): void {
      if (pending) pending.endSeconds = seconds;
      pending = null;
      for (let at = 0; at < pixelCount; at++) {
        const code = codes[at] as number;
        lumaCounts[code] = (lumaCounts[code] as number) + 1;
      }
      const { count, low, high } = measure(sums);
      const share = count / pixelCount;
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
 * Counts the pixels outside the limits after averaging each pixel with its eight neighbours in the frame. The recommendation is
 * about areas: at sharp edges with subsampled chroma, every correct video has single pixels outside the limits, while
 * the mean of legal colours is always legal.
 */
function createMeasure({ matrix, isFullRange }: VideoFormat) {
  const { red, blue } = lumaShares[matrix];
  const green = 1 - red - blue;
  // From sums of nine codes to nine times the scale of 16 to 235.
  const [lumaScale, chromaScale] = isFullRange ? [219 / 255, 219 / 255] : [1, 219 / 224];
  const [least, most] = [levelMin - roundingSteps, levelMax + roundingSteps];
  // Luma is exact. R, G and B are computed from three rounded codes and have a tolerance of one step.
  const limits = Int32Array.from(
    [
      ...[isFullRange ? 9 * 16 : 0, lumaScale],
      ...[2 * (1 - red), (-2 * red * (1 - red)) / green].map((ofCr) => ofCr * chromaScale),
      ...[(-2 * blue * (1 - blue)) / green, 2 * (1 - blue)].map((ofCb) => ofCb * chromaScale),
      ...[9 * levelMin, 9 * levelMax, 9 * least, 9 * most],
    ],
    (number) => Math.round(number * fixedPoint),
  );
  const numbers = Int32Array.of(pixelCount, 0, 0, 0);
  const { measureLevels } = loadKernel();

  return (sums: Uint16Array) => {
    measureLevels([limits, numbers, sums]);
    const [, count, low, high] = numbers as unknown as [number, number, number, number];
    return { count, low: low / 9 / fixedPoint, high: high / 9 / fixedPoint };
  };
}
