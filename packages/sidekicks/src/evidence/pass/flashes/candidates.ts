import { type AreaSize, transitionsMin } from './flashes.ts';
import { createFlashingPixels, type FlashingPixels, findFlashing } from './flashing-pixels.ts';
import type { History } from './history.ts';
import { couldFlash } from './moment.ts';
import { createWindowSum } from './window-sum.ts';

/**
 * Whether the pixels of any window that made too many transitions within the last second, together or not, are a share
 * of it that makes a closer look worth its cost. A share of the screen is at least that of some window in it.
 */
export function createCandidateJudge(
  picture: { width: number; height: number },
  areas: AreaSize[],
  { shareMin, lookedAtEverySeconds }: { shareMin: number; lookedAtEverySeconds: number },
) {
  const windows = areas.filter(({ area }) => area !== 'screen');
  const pixelsOf = (window: AreaSize) => window.width * window.height * shareMin;
  const pixelsMin = Math.min(...windows.map(pixelsOf));
  const mostIn = createWindowSum(picture);
  let flashing: FlashingPixels | null = null;

  return (history: History): boolean => {
    if (!couldFlash(history, pixelsMin, lookedAtEverySeconds)) return false;
    flashing ??= createFlashingPixels(picture.width * picture.height);
    findFlashing(history, picture.width, picture.height, transitionsMin, flashing);
    const { mask, count } = flashing;
    const part = flashing;
    return windows.some(
      (window) => count >= pixelsOf(window) && mostIn(part, window, mask, 0).count >= pixelsOf(window),
    );
  };
}
