import { loadKernel } from '../signal/kernel.ts';
import { lumaShares } from '../signal/luma.ts';
import type { VideoFormat } from '../signal/observer.ts';
import { createRanges, type Range } from '../signal/series.ts';

/** As in ffmpeg's blackdetect: the least share of dark pixels, and the highest luma of a dark pixel. */
export const blackPixelShareMin = 0.98;
export const blackLumaMax = 0.1;
/** Shorter ranges are cuts or flashes, not black frames to report. */
export const blackSecondsMin = 0.1;

/** Determines whether each frame is black, and returns the ranges of black frames. */
export function createBlackWatch(matrix: VideoFormat['matrix']) {
  const ranges = createRanges({ secondsMin: blackSecondsMin });
  const { red, blue } = lumaShares[matrix];
  // Fixed point with 16 fractional bits, so that luma is a sum of integers.
  const [redShare, blueShare] = [Math.round(red * 65_536), Math.round(blue * 65_536)];
  const greenShare = 65_536 - redShare - blueShare;
  const darkMax = Math.floor(blackLumaMax * 255 * 65_536);
  const settings = Int32Array.of(redShare, greenShare, blueShare, darkMax, 0);
  const measured = new Float64Array(2);
  const { measureLuma } = loadKernel();
  let since: number | null = null;

  return {
    take(seconds: number, rgb: Uint8Array): { isBlack: boolean; meanLuma: number } {
      const pixels = rgb.length / 3;
      settings[4] = pixels;
      measureLuma([settings, rgb, measured]);
      const [sum, dark] = measured as unknown as [number, number];
      const isBlack = dark >= blackPixelShareMin * pixels;
      if (isBlack) since ??= seconds;
      else if (since !== null) {
        ranges.add(since, seconds);
        since = null;
      }
      return { isBlack, meanLuma: sum / pixels / (255 * 65_536) };
    },

    end(endSeconds: number): Range[] {
      if (since !== null) ranges.add(since, endSeconds);
      return ranges.end().ranges;
    },
  };
}
