import type { FlashingPixels } from './flashing-pixels.ts';
import type { History } from './history.ts';

/** How many rhythms are searched individually, and how many are distinguished: noise has as many rhythms as pixels. */
const rhythmsTried = 6;
const rhythmsMax = 4096;
/** The mark of flashing pixels with an uncommon rhythm; higher marks stand for the common rhythms. */
const uncommonMark = 1;

/**
 * Marks the flashing pixels by rhythm, which is the times and directions of their transitions in the last second.
 * Returns the marks of the common rhythms, or `null` if all pixels have the same one.
 */
export function markRhythms(
  history: History,
  flashing: FlashingPixels,
  width: number,
  pixelsMin: number,
): number[] | null {
  const { mask, left, top, right, bottom } = flashing;
  const live = history.live();
  const directions = history.directions();
  const rhythmOf = (pixel: number) => {
    let rhythm = directions[pixel] as number;
    for (const { words, bits } of live) {
      rhythm = Math.imul(rhythm ^ ((words[pixel] as number) & bits), 0x9e3779b1);
      rhythm ^= rhythm >>> 15;
    }
    return rhythm;
  };
  const counts = new Map<number, number>();
  const add = (rhythm: number, pixels: number) => {
    if (pixels > 0 && (counts.size < rhythmsMax || counts.has(rhythm)))
      counts.set(rhythm, (counts.get(rhythm) ?? 0) + pixels);
  };
  forEach((run, rhythm) => add(rhythm, run.length));
  if (counts.size === 1) return null;
  const common = [...counts].filter(([, count]) => count >= pixelsMin).toSorted((a, b) => b[1] - a[1]);
  const marks = new Map(common.slice(0, rhythmsTried).map(([rhythm], i) => [rhythm, uncommonMark + 1 + i]));
  forEach((run, rhythm) => {
    const mark = marks.get(rhythm) ?? uncommonMark;
    for (let i = run.from; i < run.from + run.span; i++) if (mask[i]) mask[i] = mark;
  });
  return [...marks.values()];

  /** Visits runs of pixels: neighbours in a row mostly have the same rhythm. */
  function forEach(visit: (run: { from: number; span: number; length: number }, rhythm: number) => void): void {
    for (let y = top; y <= bottom; y++) {
      let run = { from: 0, span: 0, length: 0 };
      let last = 0;
      for (let x = left; x <= right; x++) {
        const i = y * width + x;
        if (!mask[i]) continue;
        const rhythm = rhythmOf(i);
        if (run.length > 0 && rhythm !== last) {
          visit(run, last);
          run = { from: i, span: 0, length: 0 };
        }
        if (run.length === 0) run.from = i;
        run.length++;
        run.span = i - run.from + 1;
        last = rhythm;
      }
      if (run.length > 0) visit(run, last);
    }
  }
}
