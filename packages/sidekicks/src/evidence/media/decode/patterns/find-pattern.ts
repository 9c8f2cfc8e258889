import { linesOf } from './directions.ts';
import { createLineScanner, strongBarsMin } from './stripes.ts';

/** Every fourth line is scanned first, and all lines only if at least this share of the frame may be stripes. */
const screenedLines = 4;
const screenedShareMin = 0.15;
/** The share of a connected area that must belong to runs of more than five pairs. */
const strongShareMin = 0.25;

const weakMark = 1;
const strongMark = 2;

/** Pixels of a line along which bars alternate regularly: from `start` on, `length` pixels that are `stride` apart. */
type StripeRun = { direction: number; start: number; stride: number; length: number; period: number };

export type FoundPattern = {
  /** 1 on a light stripe, −1 on a dark stripe, 0 elsewhere. Valid until the next frame. */
  signs: Int8Array;
  runs: StripeRun[];
  pixels: number;
  pairs: number;
  lightLuminance: number;
  darkLuminance: number;
};

/** Finds stripes of any orientation, straight or curved, in `luminance`, which the caller updates for each frame. */
export function createPatternFinder(luminance: Float32Array, width: number, height: number) {
  const directions = linesOf(width, height);
  const scanner = createLineScanner(luminance, Math.max(width, height));
  const { levels, edges } = scanner;
  const signs = new Int8Array(width * height);
  const mask = new Uint8Array(width * height);
  const queue = new Int32Array(width * height);

  /** Marks the pixels of a run, and returns its first pixel and length. */
  function mark(lineStart: number, stride: number, first: number, last: number) {
    const kind = last - first + 1 >= strongBarsMin ? strongMark : weakMark;
    const from = Math.round(edges[first] as number);
    const to = Math.round(edges[last + 1] as number);
    let bar = first;
    for (let i = from; i < to; i++) {
      while (bar < last && i + 0.5 >= (edges[bar + 1] as number)) bar++;
      const neighbour = bar > first ? bar - 1 : bar + 1;
      const at = lineStart + i * stride;
      signs[at] = (levels[bar] as number) > (levels[neighbour] as number) ? 1 : -1;
      mask[at] = Math.max(mask[at] as number, kind);
    }
    return { start: lineStart + from * stride, length: to - from };
  }

  /** Keeps the connected areas that have enough long runs, clears the others, and returns the number of kept pixels. */
  function keepPatterns(): number {
    let kept = 0;
    for (let seed = 0; seed < mask.length; seed++) {
      if (mask[seed] === 0) continue;
      let strongCount = 0;
      let filled = 0;
      const add = (at: number) => {
        if (mask[at] === strongMark) strongCount++;
        mask[at] = 0;
        queue[filled++] = at;
      };
      add(seed);
      for (let next = 0; next < filled; next++) {
        const at = queue[next] as number;
        const x = at % width;
        if (x > 0 && mask[at - 1]) add(at - 1);
        if (x < width - 1 && mask[at + 1]) add(at + 1);
        if (at >= width && mask[at - width]) add(at - width);
        if (at + width < mask.length && mask[at + width]) add(at + width);
      }
      if (strongCount >= strongShareMin * filled && strongCount > 0) kept += filled;
      else for (let i = 0; i < filled; i++) signs[queue[i] as number] = 0;
    }
    return kept;
  }

  return {
    /** A fast scan with a quarter of the work, which suffices for most frames because they have no stripes. */
    mayHavePattern(): boolean {
      let pixels = 0;
      let hasLongRun = false;
      for (const { stride, lines } of directions)
        for (let i = 0; i < lines.length; i += screenedLines) {
          const { start, length } = lines[i] as (typeof lines)[number];
          scanner.scan(start, stride, length, (first, last) => {
            pixels += (edges[last + 1] as number) - (edges[first] as number);
            hasLongRun ||= last - first + 1 >= strongBarsMin;
          });
        }
      return hasLongRun && pixels * screenedLines >= screenedShareMin * luminance.length;
    },

    find(): FoundPattern {
      signs.fill(0);
      mask.fill(0);
      const runs: (StripeRun & { bars: number; light: number; dark: number })[] = [];
      for (const [direction, { stride, lines }] of directions.entries())
        for (const line of lines)
          scanner.scan(line.start, stride, line.length, (first, last) => {
            const { start, length } = mark(line.start, stride, first, last);
            const bars = last - first + 1;
            const period = (2 * length) / bars;
            runs.push({ direction, start, stride, length, period, bars, ...meansOf(levels, first, last) });
          });
      const pixels = keepPatterns();
      const kept = runs.filter(({ start }) => signs[start] !== 0);
      const long = kept.filter(({ bars }) => bars >= strongBarsMin);
      return {
        signs,
        runs: kept,
        pixels,
        pairs: Math.ceil(long.reduce((most, { bars }) => Math.max(most, bars), 0) / 2),
        lightLuminance: long.reduce((sum, { light }) => sum + light, 0) / Math.max(1, long.length),
        darkLuminance: long.reduce((sum, { dark }) => sum + dark, 0) / Math.max(1, long.length),
      };
    },
  };
}

function meansOf(levels: Float32Array, first: number, last: number): { light: number; dark: number } {
  const meanOf = (from: number) => {
    let sum = 0;
    let count = 0;
    for (let bar = from; bar <= last; bar += 2, count++) sum += levels[bar] as number;
    return sum / count;
  };
  const [a, b] = [meanOf(first), meanOf(first + 1)];
  return { light: Math.max(a, b), dark: Math.min(a, b) };
}
