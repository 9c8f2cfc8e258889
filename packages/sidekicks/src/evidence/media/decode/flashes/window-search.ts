import { largestAlternating } from './alternation.ts';
import type { AreaSize } from './flashes.ts';
import { collectEvents, createEventAdder, type FlashingPixels } from './flashing-pixels.ts';
import type { History } from './history.ts';
import { markRhythms } from './rhythms.ts';
import { createWindowSum, type FramePart } from './window-sum.ts';

/** Blocks per window width and height in the grid search. */
const blocksPerWindow = 16;
/** If this share of a window flashes together, the search for a fuller window stops. */
export const sufficientShare = 0.5;
/** Every n-th row and column is counted first, which is enough to recognise a sufficient share. */
export const coarseStride = 4;

export type FlashingWindow = { pixels: number; part: FramePart };

type SearchState = { history: History; flashing: FlashingPixels; span: number; transitionsMin: number };

/**
 * Finds the window in which the most pixels flash together. It tries the window with the most flashing pixels, then for
 * each common rhythm the window with the most pixels of that rhythm, both exact to the pixel. If another window may
 * have more, it tries all windows of a grid.
 */
export function createWindowSearch(frameSize: { width: number; height: number }) {
  const findFullest = createWindowSum(frameSize);

  return (state: SearchState, window: AreaSize, pixelsMin: number): FlashingWindow | null => {
    const { history, flashing } = state;
    const sufficient = window.width * window.height * sufficientShare;
    const fullest = findFullest(flashing, window, flashing.mask, 0);
    if (fullest.count < pixelsMin) return null;
    let best: FlashingWindow = {
      pixels: countTogether(state, frameSize.width, fullest.part, sufficient),
      part: fullest.part,
    };
    if (best.pixels < Math.min(fullest.count, sufficient)) {
      const marks = markRhythms(history, flashing, frameSize.width, pixelsMin);
      for (const mark of marks ?? []) {
        const { part, count } = findFullest(flashing, window, flashing.mask, mark);
        if (count < pixelsMin || count <= best.pixels) continue;
        const pixels = countTogether(state, frameSize.width, part, sufficient);
        if (pixels > best.pixels) best = { pixels, part };
      }
      if (marks && best.pixels < sufficient) {
        const onGrid = searchGrid(state, frameSize.width, window, Math.max(pixelsMin, best.pixels + 1));
        if (onGrid) best = onGrid;
      }
    }
    return best.pixels >= pixelsMin ? best : null;
  };
}

/**
 * The number of pixels of a part that flash together: estimated from a sample if the estimate is sufficient, otherwise
 * exact.
 */
export function countTogether(state: SearchState, width: number, part: FramePart, sufficient: number): number {
  const { history, flashing, span, transitionsMin } = state;
  const among = (stride: number, pixelsMin: number) => {
    const events = collectEvents(history, flashing, width, part, span, stride);
    return largestAlternating(events, span, history.secondsOf, transitionsMin, pixelsMin);
  };
  return among(coarseStride, sufficient) || among(1, 1);
}

function searchGrid(state: SearchState, width: number, window: AreaSize, pixelsMin: number): FlashingWindow | null {
  const { history, flashing, span, transitionsMin } = state;
  const { left, top, right, bottom, mask } = flashing;
  const blockX = Math.max(1, Math.floor(window.width / blocksPerWindow));
  const blockY = Math.max(1, Math.floor(window.height / blocksPerWindow));
  const across = Math.ceil((right - left + 1) / blockX) + 1;
  const down = Math.ceil((bottom - top + 1) / blockY) + 1;
  const cells = across * down;
  // A summed-area table of cells for each age; the first row and column stay empty.
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
  let best: FlashingWindow | null = null;
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
      if (pixels >= window.width * window.height * sufficientShare) return best;
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
