import { createRanges, type Range } from '../signal/series.ts';

/**
 * The highest mean difference from the first frame of a freeze. ffmpeg's freezedetect uses −60 dB for luma and
 * subsampled chroma. The same noise is twice as high in R'G'B', where chroma counts in full.
 */
export const freezeNoise = 2 * 0.001;
/** Animation and pulldown repeat a frame two or three times, which is not a freeze. */
export const freezeSecondsMin = 0.5;
const chunkBytes = 8192;

/** Finds the ranges in which the frame does not change. */
export function createFreezeWatch() {
  // Very slow motion is a series of separate freezes; they are not merged.
  const ranges = createRanges({ secondsMin: freezeSecondsMin, gapSeconds: Number.NEGATIVE_INFINITY });
  let reference = new Uint8Array(0);
  let since: number | null = null;
  let isStill = false;

  function close(seconds: number): void {
    if (since !== null && isStill) ranges.add(since, seconds);
    since = null;
    isStill = false;
  }

  return {
    /** `frame` is `null` for a frame that ends any freeze, such as a black frame. */
    take(seconds: number, frame: Uint8Array | null): void {
      if (frame && since !== null && isSimilarFrame(reference, frame)) {
        isStill = true;
        return;
      }
      close(seconds);
      if (!frame) return;
      if (reference.length !== frame.length) reference = new Uint8Array(frame.length);
      reference.set(frame);
      since = seconds;
    },

    end(endSeconds: number): Range[] {
      close(endSeconds);
      return ranges.end().ranges;
    },
  };
}

/** Stops comparing as soon as the difference is too large, which is early if there is motion. */
function isSimilarFrame(a: Uint8Array, b: Uint8Array): boolean {
  const differenceMax = freezeNoise * 256 * b.length;
  let difference = 0;
  for (let start = 0; start < b.length; start += chunkBytes) {
    const end = Math.min(b.length, start + chunkBytes);
    for (let at = start; at < end; at++) difference += Math.abs((a[at] as number) - (b[at] as number));
    if (difference > differenceMax) return false;
  }
  return true;
}
