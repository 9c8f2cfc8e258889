import { largestAlternating } from './alternation.ts';
import type { AreaSize } from './flashes.ts';
import { addEvents, collectEvents, type FlashingPixels } from './flashing-pixels.ts';
import type { History } from './history.ts';
import { createWindowSum, type Part } from './window-sum.ts';

/** Blocks across a window where pixels flash in many rhythms and every place of the window is tried. */
const blocksPerWindow = 16;
/** Rhythms that are looked for one by one, and told apart at all: noise has as many as pixels. */
const rhythmsTried = 8;
const rhythmsMax = 4096;

export type Found = { pixels: number; part: Part };

/** Where so much of a window flashes together, it is not asked whether another has more. */
const plentyShare = 0.5;

type Scene = { history: History; flashing: FlashingPixels; span: number; transitionsMin: number };
type LivePart = { words: Int32Array; bits: number };

/**
 * Finds the window in which the most pixels flash together. Tried are the window with the most flashing pixels, for
 * each common rhythm the one with the most of that rhythm, both to the pixel, and if these leave room for more, all
 * windows of a grid.
 */
export function createWindowSearch(picture: { width: number; height: number }) {
  const mostIn = createWindowSum(picture);

  return (scene: Scene, window: AreaSize, pixelsMin: number): Found | null => {
    const { history, flashing, span, transitionsMin } = scene;
    const { mask } = flashing;
    const together = (part: Part) =>
      largestAlternating(
        collectEvents(history, flashing, picture.width, part, span),
        span,
        history.secondsOf,
        transitionsMin,
      );

    const fullest = mostIn(flashing, window, (i) => mask[i] === 1);
    if (fullest.count < pixelsMin) return null;
    let best: Found = { pixels: together(fullest.part), part: fullest.part };
    if (best.pixels < Math.min(fullest.count, window.width * window.height * plentyShare)) {
      const live = history.live();
      for (const rhythm of commonRhythms(scene, live, picture.width, pixelsMin)) {
        const isOfRhythm = (i: number) => mask[i] === 1 && rhythmOf(live, history.directions, i) === rhythm;
        const { part, count } = mostIn(flashing, window, isOfRhythm);
        if (count < pixelsMin || count <= best.pixels) continue;
        const pixels = together(part);
        if (pixels > best.pixels) best = { pixels, part };
      }
      const onGrid = searchGrid(scene, picture.width, window);
      if (onGrid.pixels > best.pixels) best = onGrid;
    }
    return best.pixels >= pixelsMin ? best : null;
  };
}

function rhythmOf(live: LivePart[], directions: Uint8Array, pixel: number): number {
  let rhythm = directions[pixel] as number;
  for (const { words, bits } of live) {
    rhythm = Math.imul(rhythm ^ ((words[pixel] as number) & bits), 0x9e3779b1);
    rhythm ^= rhythm >>> 15;
  }
  return rhythm;
}

function commonRhythms({ history, flashing }: Scene, live: LivePart[], width: number, pixelsMin: number): number[] {
  const counts = new Map<number, number>();
  for (let y = flashing.top; y <= flashing.bottom; y++) {
    let last = 0;
    let run = 0;
    for (let x = flashing.left; x <= flashing.right; x++) {
      const i = y * width + x;
      if (!flashing.mask[i]) continue;
      const rhythm = rhythmOf(live, history.directions, i);
      if (rhythm !== last) {
        if (run > 0 && (counts.size < rhythmsMax || counts.has(last))) counts.set(last, (counts.get(last) ?? 0) + run);
        last = rhythm;
        run = 0;
      }
      run++;
    }
    if (run > 0) counts.set(last, (counts.get(last) ?? 0) + run);
  }
  const common = [...counts].filter(([, count]) => count >= pixelsMin).toSorted((a, b) => b[1] - a[1]);
  return common.slice(0, rhythmsTried).map(([rhythm]) => rhythm);
}

function searchGrid({ history, flashing, span, transitionsMin }: Scene, width: number, window: AreaSize): Found {
  const { left, top, right, bottom, mask } = flashing;
  const blockX = Math.max(1, Math.floor(window.width / blocksPerWindow));
  const blockY = Math.max(1, Math.floor(window.height / blocksPerWindow));
  const across = Math.ceil((right - left + 1) / blockX) + 1;
  const down = Math.ceil((bottom - top + 1) / blockY) + 1;
  const cells = across * down;
  // By age, and in it by cell, of which the first row and column stay empty: a summed-area table each.
  const events = [new Float64Array(cells * span), new Float64Array(cells * span)] as const;
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      if (!mask[y * width + x]) continue;
      const cell = (Math.floor((y - top) / blockY) + 1) * across + Math.floor((x - left) / blockX) + 1;
      addEvents(history, y * width + x, span, events[0], events[1], cell, cells);
    }
  }
  for (const tables of events) sumUp(tables, across, cells);

  const wide = Math.min(blocksPerWindow, across - 1);
  const high = Math.min(blocksPerWindow, down - 1);
  const sums = [new Float64Array(span), new Float64Array(span)] as const;
  let best: Found = { pixels: 0, part: flashing };
  for (let y = 0; y + high < down; y++) {
    for (let x = 0; x + wide < across; x++) {
      for (const [direction, tables] of events.entries()) {
        for (let age = 0; age < span; age++) {
          const at = age * cells + y * across + x;
          const below = at + high * across;
          (sums[direction] as Float64Array)[age] =
            (tables[below + wide] as number) -
            (tables[at + wide] as number) -
            (tables[below] as number) +
            (tables[at] as number);
        }
      }
      const pixels = largestAlternating(sums, span, history.secondsOf, transitionsMin);
      if (pixels <= best.pixels) continue;
      const partLeft = left + x * blockX;
      const partTop = top + y * blockY;
      best = {
        pixels,
        part: {
          left: partLeft,
          top: partTop,
          right: Math.min(right, partLeft + wide * blockX - 1),
          bottom: Math.min(bottom, partTop + high * blockY - 1),
        },
      };
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
