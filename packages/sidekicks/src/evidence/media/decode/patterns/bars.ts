import { stripeStepMin } from './patterns.ts';

/** The bars of a line. The arrays are reused for the next line. */
export type Bars = {
  /** The luminance of each bar. */
  levels: Float32Array;
  /** A pixel of each bar that has the bar's luminance. */
  peaks: Int32Array;
  /** Bar n is between edge n and edge n + 1, in pixels of the line. */
  edges: Float32Array;
};

export function createBars(lengthMax: number): Bars {
  return {
    levels: new Float32Array(lengthMax + 1),
    peaks: new Int32Array(lengthMax + 1),
    edges: new Float32Array(lengthMax + 2),
  };
}

/** Finds alternating light and dark bars that differ by at least 20 cd/m², and returns their number. */
export function findBars(
  { levels, peaks }: Bars,
  luminance: Float32Array,
  start: number,
  stride: number,
  length: number,
): number {
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
      peaks[count++] = lowAt;
      heading = 1;
      high = value;
      highAt = i;
    } else if (heading >= 0 && value <= high - stripeStepMin) {
      levels[count] = high;
      peaks[count++] = highAt;
      heading = -1;
      low = value;
      lowAt = i;
    }
  }
  levels[count] = heading > 0 ? high : low;
  peaks[count] = heading > 0 ? highAt : lowAt;
  return heading === 0 ? 0 : count + 1;
}

/** Finds the positions where luminance is half-way between two bars. */
export function findEdges(
  { levels, peaks, edges }: Bars,
  luminance: Float32Array,
  start: number,
  stride: number,
  count: number,
): void {
  for (let bar = 1; bar < count; bar++) {
    const middle = ((levels[bar - 1] as number) + (levels[bar] as number)) / 2;
    const isRising = (levels[bar] as number) > middle;
    let i = peaks[bar] as number;
    let before = luminance[start + (i - 1) * stride] as number;
    while (before > middle === isRising && i > (peaks[bar - 1] as number) + 1) {
      i--;
      before = luminance[start + (i - 1) * stride] as number;
    }
    const after = luminance[start + i * stride] as number;
    // Pixels are averages, so their values apply to their centres.
    edges[bar] = i - 0.5 + (after === before ? 0 : (middle - before) / (after - before));
  }
}
