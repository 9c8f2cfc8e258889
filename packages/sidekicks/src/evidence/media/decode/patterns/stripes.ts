import { darkStripeBelow, pairsMax, stripeStepMin } from './patterns.ts';

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
  const levels = new Float32Array(lengthMax + 1);
  const places = new Int32Array(lengthMax + 1);
  /** Bar n is between edge n and edge n + 1, in pixels of the line. */
  const edges = new Float32Array(lengthMax + 2);

  /** Finds alternating light and dark bars that differ by at least 20 cd/m², and returns their number. */
  function findBars(start: number, stride: number, length: number): number {
    let low = luminance[start] as number;
    let high = low;
    let lowAt = 0;
    let highAt = 0;
    let heading = 0;
    let count = 0;
    for (let i = 1, at = start + stride; i < length; i++, at += stride) {
      const value = luminance[at] as number;
      if (heading >= 0 && value > high) {
        high = value;
        highAt = i;
      } else if (heading <= 0 && value < low) {
        low = value;
        lowAt = i;
      }
      if (heading <= 0 && value >= low + stripeStepMin) {
        levels[count] = low;
        places[count++] = lowAt;
        heading = 1;
        high = value;
        highAt = i;
      } else if (heading >= 0 && value <= high - stripeStepMin) {
        levels[count] = high;
        places[count++] = highAt;
        heading = -1;
        low = value;
        lowAt = i;
      }
    }
    levels[count] = heading > 0 ? high : low;
    places[count] = heading > 0 ? highAt : lowAt;
    return heading === 0 ? 0 : count + 1;
  }

  /** Finds the positions where luminance is half-way between two bars. */
  function findEdges(start: number, stride: number, length: number, bars: number): void {
    edges[0] = 0;
    edges[bars] = length;
    for (let bar = 1; bar < bars; bar++) {
      const middle = ((levels[bar - 1] as number) + (levels[bar] as number)) / 2;
      const isRising = (levels[bar] as number) > middle;
      let i = places[bar] as number;
      let before = luminance[start + (i - 1) * stride] as number;
      while (before > middle === isRising && i > (places[bar - 1] as number) + 1) {
        i--;
        before = luminance[start + (i - 1) * stride] as number;
      }
      const after = luminance[start + i * stride] as number;
      // Pixels are averages, so their values apply to their centres.
      edges[bar] = i - 0.5 + (after === before ? 0 : (middle - before) / (after - before));
    }
  }

  const widthOf = (bar: number) => (edges[bar + 1] as number) - (edges[bar] as number);

  function areAlike(bar: number, other: number, bars: number): boolean {
    const isCut = bar === 0 || other === bars - 1; // cut by the edge of the frame
    const [a, b] = [widthOf(bar), widthOf(other)];
    const [narrow, wide] = a < b ? [a, b] : [b, a];
    const isNarrowCut = isCut && (bar === 0 ? a <= b : b <= a);
    if (!isNarrowCut && narrow < widthRatioMin * wide && wide - narrow > widthSlackPixels) return false;
    const amplitude = Math.abs((levels[other] as number) - (levels[other - 1] as number));
    return isNarrowCut || Math.abs((levels[bar] as number) - (levels[other] as number)) <= levelChangeMax * amplitude;
  }

  /** Whether a light bar and the adjacent dark bar are a pair. */
  function arePair(bar: number, next: number, bars: number): boolean {
    if (Math.min(levels[bar] as number, levels[next] as number) >= darkStripeBelow) return false;
    const [a, b] = [widthOf(bar), widthOf(next)];
    return bar === 0 || next === bars - 1 || Math.min(a, b) >= dutyRatioMin * Math.max(a, b);
  }

  function findRuns(bars: number, onRun: OnRun): void {
    let first = 0;
    for (let bar = 1; bar <= bars; bar++) {
      const continues = bar < bars && arePair(bar - 1, bar, bars) && (bar - 2 < first || areAlike(bar - 2, bar, bars));
      if (continues) continue;
      const period = (2 * ((edges[bar] as number) - (edges[first] as number))) / (bar - first);
      if (bar - first >= weakBarsMin && period >= periodPixelsMin) onRun(first, bar - 1);
      first = bar < bars && arePair(bar - 1, bar, bars) ? bar - 1 : bar;
    }
  }

  return {
    levels,
    edges,
    scan(start: number, stride: number, length: number, onRun: OnRun): void {
      const bars = findBars(start, stride, length);
      if (bars < weakBarsMin) return;
      findEdges(start, stride, length, bars);
      findRuns(bars, onRun);
    },
  };
}
