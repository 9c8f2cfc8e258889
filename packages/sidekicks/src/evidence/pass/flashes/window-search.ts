import { largestAlternating } from './alternation.ts';
import type { AreaSize } from './flashes.ts';
import { collectEvents, createEventAdder, type FlashingPixels } from './flashing-pixels.ts';
import type { History } from './history.ts';
import { markRhythms } from './rhythms.ts';
import { createWindowSum, type Part } from './window-sum.ts';

/** Blocks across a window where pixels flash in many rhythms and every place of the window is tried. */
const blocksPerWindow = 16;
/** Where so much of a window flashes together, it is not asked whether another has more. */
export const plentyShare = 0.5;
/** Looked at first is one in so many rows and columns: enough to tell plenty. */
export const coarseStride = 4;

export type Found = { pixels: number; part: Part };

type Scene = { history: History; flashing: FlashingPixels; span: number; transitionsMin: number };

/**
 * Finds the window in which the most pixels flash together. Tried are the window with the most flashing pixels, for
 * each common rhythm the one with the most of that rhythm, both to the pixel, and if these leave room for more, all
 * windows of a grid.
 */
export function createWindowSearch(picture: { width: number; height: number }) {
  const mostIn = createWindowSum(picture);

  return (scene: Scene, window: AreaSize, pixelsMin: number): Found | null => {
    const { history, flashing } = scene;
    const plenty = window.width * window.height * plentyShare;
    const fullest = mostIn(flashing, window, flashing.mask, 0);
    if (fullest.count < pixelsMin) return null;
    let best: Found = { pixels: together(scene, picture.width, fullest.part, plenty), part: fullest.part };
    if (best.pixels < Math.min(fullest.count, plenty)) {
      const marks = markRhythms(history, flashing, picture.width, pixelsMin);
      for (const mark of marks ?? []) {
        const { part, count } = mostIn(flashing, window, flashing.mask, mark);
        if (count < pixelsMin || count <= best.pixels) continue;
        const pixels = together(scene, picture.width, part, plenty);
        if (pixels > best.pixels) best = { pixels, part };
      }
      if (marks && best.pixels < plenty) {
        const onGrid = searchGrid(scene, picture.width, window, Math.max(pixelsMin, best.pixels + 1));
        if (onGrid) best = onGrid;
      }
    }
    return best.pixels >= pixelsMin ? best : null;
  };
}

/** How many pixels of a part flash together: by a sample where they are far more than matters, else all are counted. */
export function together(scene: Scene, width: number, part: Part, plenty: number): number {
  const { history, flashing, span, transitionsMin } = scene;
  const among = (stride: number, pixelsMin: number) => {
    const events = collectEvents(history, flashing, width, part, span, stride);
    return largestAlternating(events, span, history.secondsOf, transitionsMin, pixelsMin);
  };
  return among(coarseStride, plenty) || among(1, 1);
}

function searchGrid(scene: Scene, width: number, window: AreaSize, pixelsMin: number): Found | null {
  const { history, flashing, span, transitionsMin } = scene;
  const { left, top, right, bottom, mask } = flashing;
  const blockX = Math.max(1, Math.floor(window.width / blocksPerWindow));
  const blockY = Math.max(1, Math.floor(window.height / blocksPerWindow));
  const across = Math.ceil((right - left + 1) / blockX) + 1;
  const down = Math.ceil((bottom - top + 1) / blockY) + 1;
  const cells = across * down;
  // By age, and in it by cell, of which the first row and column stay empty: a summed-area table each.
  const events = [new Float64Array(cells * span), new Float64Array(cells * span)] as const;
  const add = createEventAdder(history, span, events, { stride: cells, weight: 1 });
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      if (!mask[y * width + x]) continue;
      const cell = (Math.floor((y - top) / blockY) + 1) * across + Math.floor((x - left) / blockX) + 1;
      add(y * width + x, cell);
    }
  }
  for (const tables of events) sumUp(tables, across, cells);

  const wide = Math.min(blocksPerWindow, across - 1);
  const high = Math.min(blocksPerWindow, down - 1);
  const sums = [new Float64Array(span), new Float64Array(span)] as const;
  let best: Found | null = null;
  for (let y = 0; y + high < down; y++) {
    for (let x = 0; x + wide < across; x++) {
      for (let direction = 0; direction < 2; direction++) {
        const tables = events[direction] as Float64Array;
        const sum = sums[direction] as Float64Array;
        for (let age = 0, at = y * across + x; age < span; age++, at += cells) {
          const below = at + high * across;
          sum[age] =
            (tables[below + wide] as number) -
            (tables[at + wide] as number) -
            (tables[below] as number) +
            (tables[at] as number);
        }
      }
      const least = best ? best.pixels + 1 : pixelsMin;
      const pixels = largestAlternating(sums, span, history.secondsOf, transitionsMin, least);
      if (pixels === 0) continue;
      const partLeft = left + x * blockX;
      const partTop = top + y * blockY;
      const part = {
        left: partLeft,
        top: partTop,
        right: Math.min(right, partLeft + wide * blockX - 1),
        bottom: Math.min(bottom, partTop + high * blockY - 1),
      };
      best = { pixels, part };
      if (pixels >= window.width * window.height * plentyShare) return best;
    }
  }
  return best;
}

function sumUp(tables: Float64Array, across: number, cells: number): void {
  for (let start = 0; start < tables.length; start += cells) {
    for (let cell = start + across; cell < start + cells; cell++) {
      const isFirst = (cell - start) % across === 0;
      const before = isFirst ? 0 : (tables[cell - 1] as number) - (tables[cell - across - 1] as number);
      tables[cell] = (tables[cell] as number) + before + (tables[cell - across] as number);
    }
  }
}
