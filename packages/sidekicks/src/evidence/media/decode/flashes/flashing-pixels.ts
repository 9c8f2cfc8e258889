import { loadKernel } from '../signal/kernel.ts';
import type { History } from './history.ts';

const kernel = loadKernel();

/** The pixels with at least a given number of transitions within the last second. */
export type FlashingPixels = {
  count: number;
  /** By rows of the frame; nonzero for flashing pixels. */
  mask: Uint8Array;
  left: number;
  top: number;
  right: number;
  bottom: number;
};

export type EventPixels = readonly [up: Float64Array, down: Float64Array];

export function createFlashingPixels(pixels: number): FlashingPixels {
  return { count: 0, mask: new Uint8Array(pixels), left: 0, top: 0, right: -1, bottom: -1 };
}

export function findFlashing(history: History, width: number, height: number, least: number, into: FlashingPixels) {
  const live = history.live();
  const numbers = Int32Array.of(width, height, least, ...live.map(({ bits }) => bits), 0, 0);
  kernel.findFlashing([numbers, into.mask, ...live.map(({ words }) => words)]);
  const [count = 0, left = 0, top = 0, right = -1, bottom = -1] = numbers;
  Object.assign(into, { count, left, top, right, bottom });
}

/** Counts the transitions of the flashing pixels in a part of the frame, by direction and age. */
export function collectEvents(
  history: History,
  flashing: FlashingPixels,
  width: number,
  part: { left: number; top: number; right: number; bottom: number },
  span: number,
  /** Only every n-th row and column is counted, with a corresponding weight. */
  stride = 1,
): EventPixels {
  const { left, top, right, bottom } = part;
  const chunks = history.chunks();
  const newest = chunks.map(({ firstFrame }) => history.frame() - firstFrame);
  const numbers = Int32Array.of(width, left, top, right, bottom, span, stride, ...newest);
  const [up, down] = [new Int32Array(span), new Int32Array(span)];
  const scratch = new Uint32Array(3 * width);
  const words = chunks.map((chunk) => chunk.words);
  kernel.collectEvents([numbers, flashing.mask, history.directions(), scratch, up, down, ...words]);
  const weigh = (counts: Int32Array) => Float64Array.from(counts, (count) => count * stride * stride);
  return [weigh(up), weigh(down)];
}

/** Counts a pixel's transitions of the last second. Only the last direction is stored, because directions alternate. */
export function createEventAdder(
  history: History,
  span: number,
  [ups, downs]: EventPixels,
  { stride, weight }: { stride: number; weight: number },
) {
  const directions = history.directions();
  const chunks = history.chunks().map(({ words, firstFrame }) => ({ words, newest: history.frame() - firstFrame }));
  return (pixel: number, offset: number): void => {
    let isUp = directions[pixel] === 1;
    for (const { words, newest } of chunks) {
      for (let word = words[pixel] as number; word !== 0; ) {
        const bit = 31 - Math.clz32(word);
        const age = newest - bit;
        if (age >= span) return;
        const events = isUp ? ups : downs;
        const at = offset + age * stride;
        events[at] = (events[at] as number) + weight;
        isUp = !isUp;
        word &= ~(1 << bit);
      }
    }
  };
}

export function countBits(word: number): number {
  let rest = word - ((word >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  return Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
