import {
  analyse,
  type Colour,
  every,
  size,
  switching,
  whole,
} from '@assay/sidekicks/evidence/media/decode/flashes/samples/flicker.ts';
import { loadKernel } from '@assay/sidekicks/evidence/media/decode/signal/kernel.ts';
import { expect, test } from 'vitest';
import { expectNumbers } from './expect-cost.ts';

// How often the search for flashes goes over the pixels of a frame, and in how much memory. The bench `evidence` measures
// how long that takes.

type Analysed = { runCount: number; calls: Record<string, number>; bytesPerPixel: number };

/** Analyses frames of one colour each, and counts what the native kernel is given. */
function analyseAndCount(colours: readonly Colour[]): Analysed {
  const kernel = loadKernel() as unknown as Record<string, (...lists: ArrayBufferView[][]) => unknown>;
  const functions = { ...kernel };
  const calls: Record<string, number> = {};
  const memory = new Set<ArrayBufferLike>();
  for (const [name, call] of Object.entries(functions)) {
    kernel[name] = (...lists) => {
      calls[name] = (calls[name] ?? 0) + 1;
      for (const { buffer } of lists.flat()) memory.add(buffer);
      return call(...lists);
    };
  }
  try {
    const runCount = analyse([whole(colours)]).length;
    const bytes = [...memory].reduce((sum, { byteLength }) => sum + byteLength, 0);
    return { runCount, calls, bytesPerPixel: Math.round(bytes / (size.width * size.height)) };
  } finally {
    Object.assign(kernel, functions);
  }
}

test.each([
  ['does not change', switching(60, []), { see: 60 }, 37],
  ['changes slowly', switching(60, every(10, 6)), { see: 60 }, 37],
  ['changes often, but less than is too much', switching(60, every(6, 6)), { see: 60, findFlashing: 1 }, 38],
  ['flashes', switching(60, every(3, 20)), { see: 60, findFlashing: 15, collectEvents: 84, findFullest: 28 }, 81],
])(
  'each frame of a video that %s is analysed once, and more closely only while it may flash',
  (what, colours, expected, bytesPerPixel) => {
    const { runCount, calls, ...memory } = analyseAndCount(colours);
    expect(runCount > 0).toBe(what === 'flashes');
    expectNumbers(`60 frames of a picture that ${what}`, { ...calls, ...memory }, { ...expected, bytesPerPixel });
  },
);
