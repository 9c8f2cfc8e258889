import type { PictureFormat } from '../observer.ts';
import { createRanges, type Range } from '../series.ts';
import { lumaShares } from './luma.ts';

/** As ffmpeg's blackdetect has it: so much of the picture is no brighter than so much of the scale. */
export const blackPixelShareMin = 0.98;
export const blackLumaMax = 0.1;
/** Shorter ones are cuts and flashes. */
const secondsMin = 0.1;

/** Tells for each picture whether it is black, and keeps the stretches that are. */
export function createBlackWatch(matrix: PictureFormat['matrix']) {
  const ranges = createRanges({ secondsMin });
  const { red, blue } = lumaShares[matrix];
  // Sixteen bits after the point make luma a sum of whole numbers.
  const [redShare, blueShare] = [Math.round(red * 65_536), Math.round(blue * 65_536)];
  const greenShare = 65_536 - redShare - blueShare;
  const darkMax = blackLumaMax * 255 * 65_536;
  let since: number | null = null;

  return {
    take(seconds: number, rgb: Uint8Array): { isBlack: boolean; meanLuma: number } {
      let sum = 0;
      let dark = 0;
      for (let at = 0; at + 2 < rgb.length; at += 3) {
        const luma =
          redShare * (rgb[at] as number) + greenShare * (rgb[at + 1] as number) + blueShare * (rgb[at + 2] as number);
        sum += luma;
        if (luma <= darkMax) dark++;
      }
      const pixels = rgb.length / 3;
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
