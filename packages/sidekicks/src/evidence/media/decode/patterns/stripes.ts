import { type Bars, createBars, findBars, findEdges } from './bars.ts';
import { darkStripeBelow, pairsMax } from './patterns.ts';

/** A bar is half a pair, so 11 bars are more than five pairs. */
export const strongBarsMin = 2 * pairsMax + 1;
/** Shorter runs belong to a pattern if they touch a long one: a line across its corner crosses only a few stripes. */
const weakBarsMin = 6;
/** How much bars of the same kind may differ in width and luminance, and the least ratio of light and dark widths. */
const widthRatioMin = 0.6;
const widthSlackPixels = 1;
const levelChangeMax = 0.35;
const dutyRatioMin = 0.2;
/** Finer stripes are not resolved and may be an alias. */
const periodPixelsMin = 2.8;

/** Bars `first` to `last` of a line alternate regularly between light and dark. */
type OnRun = (first: number, last: number) => void;

/** Scans straight lines for bars that alternate regularly. `levels` and `edges` are valid until the next scan. */
export function createLineScanner(luminance: Float32Array, lengthMax: number) {
  const bars = createBars(lengthMax);
  return {
    levels: bars.levels,
    edges: bars.edges,
    scan(start: number, stride: number, length: number, onRun: OnRun): void {
      const count = findBars(bars, luminance, start, stride, length);
      if (count < weakBarsMin) return;
      findEdges(bars, luminance, start, stride, count);
      bars.edges[0] = 0;
      bars.edges[count] = length;
      findRuns(bars, count, onRun);
    },
  };
}

function findRuns(bars: Bars, count: number, onRun: OnRun): void {
  const { edges } = bars;
  let first = 0;
  for (let bar = 1; bar <= count; bar++) {
    const continues =
      bar < count && arePair(bars, bar - 1, bar, count) && (bar - 2 < first || areAlike(bars, bar - 2, bar, count));
    if (continues) continue;
    const period = (2 * ((edges[bar] as number) - (edges[first] as number))) / (bar - first);
    if (bar - first >= weakBarsMin && period >= periodPixelsMin) onRun(first, bar - 1);
    first = bar < count && arePair(bars, bar - 1, bar, count) ? bar - 1 : bar;
  }
}

/** Whether a light bar and the adjacent dark bar are a pair. */
function arePair({ levels, edges }: Bars, bar: number, next: number, count: number): boolean {
  if (Math.min(levels[bar] as number, levels[next] as number) >= darkStripeBelow) return false;
  const [a, b] = [widthOf(edges, bar), widthOf(edges, next)];
  return bar === 0 || next === count - 1 || Math.min(a, b) >= dutyRatioMin * Math.max(a, b);
}

function areAlike({ levels, edges }: Bars, bar: number, other: number, count: number): boolean {
  const isCut = bar === 0 || other === count - 1; // cut by the edge of the frame
  const [a, b] = [widthOf(edges, bar), widthOf(edges, other)];
  const [narrow, wide] = a < b ? [a, b] : [b, a];
  const isNarrowCut = isCut && (bar === 0 ? a <= b : b <= a);
  if (!isNarrowCut && narrow < widthRatioMin * wide && wide - narrow > widthSlackPixels) return false;
  const amplitude = Math.abs((levels[other] as number) - (levels[other - 1] as number));
  return isNarrowCut || Math.abs((levels[bar] as number) - (levels[other] as number)) <= levelChangeMax * amplitude;
}

function widthOf(edges: Float32Array, bar: number): number {
  return (edges[bar + 1] as number) - (edges[bar] as number);
}
