import type { History } from './history.ts';

/** The pixels that made at least so many transitions in the last second. */
export type FlashingPixels = {
  count: number;
  /** 1 where it flashes; by rows of the picture. */
  mask: Uint8Array;
  left: number;
  top: number;
  right: number;
  bottom: number;
};

type LivePart = { words: Int32Array; bits: number };

export type EventPixels = readonly [up: Float64Array, down: Float64Array];

export function createFlashingPixels(pixels: number): FlashingPixels {
  return { count: 0, mask: new Uint8Array(pixels), left: 0, top: 0, right: -1, bottom: -1 };
}

export function findFlashing(history: History, width: number, height: number, least: number, into: FlashingPixels) {
  const { mask } = into;
  const [first = { words: new Int32Array(0), bits: 0 }, second = { ...first, bits: 0 }, ...more] = history.live();
  let [count, left, top, right, bottom] = [0, width, height, -1, -1];
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const one = (first.words[i] as number) & first.bits;
      const two = (second.words[i] as number) & second.bits;
      let transitions = (one | two) === 0 ? 0 : countBits(one) + countBits(two);
      for (let k = 0; k < more.length; k++) {
        const { words, bits } = more[k] as LivePart;
        const rest = (words[i] as number) & bits;
        if (rest !== 0) transitions += countBits(rest);
      }
      if (transitions < least) {
        mask[i] = 0;
        continue;
      }
      mask[i] = 1;
      count++;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
  }
  Object.assign(into, { count, left, top, right, bottom });
}

/** When the flashing pixels of a part of the picture made their transitions, by age and direction. */
export function collectEvents(
  history: History,
  flashing: FlashingPixels,
  width: number,
  part: { left: number; top: number; right: number; bottom: number },
  span: number,
  /** Of so many rows and columns one is looked at, for all of them. */
  stride = 1,
): EventPixels {
  const events: EventPixels = [new Float64Array(span), new Float64Array(span)];
  for (let y = part.top; y <= part.bottom; y += stride) {
    for (let i = y * width + part.left; i <= y * width + part.right; i += stride) {
      if (flashing.mask[i]) addEvents(history, i, span, events[0], events[1], 0, 1, stride * stride);
    }
  }
  return events;
}

/** Adds a pixel's transitions of the last second, the direction changing from each to the one before it. */
export function addEvents(
  history: History,
  pixel: number,
  span: number,
  ups: Float64Array,
  downs: Float64Array,
  offset: number,
  stride: number,
  weight: number,
): void {
  let isUp = history.directions[pixel] === 1;
  for (const { words, firstFrame } of history.chunks) {
    const newest = history.frame - firstFrame;
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
}

export function countBits(word: number): number {
  let rest = word - ((word >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  return Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
