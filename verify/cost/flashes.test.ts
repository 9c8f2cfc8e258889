import {
  analysePatches,
  type Colour,
  changesEvery,
  frameSize,
  switchColours,
  wholeFrame,
} from '@assay/sidekicks/evidence/media/decode/flashes/samples/flicker.ts';
import { loadKernel } from '@assay/sidekicks/evidence/media/decode/signal/kernel.ts';
import { expect, test } from 'vitest';
import { expectNumbers } from './expect-cost.ts';

// How often flash detection reads the pixels of a frame, and how much memory it uses. The bench `evidence` measures how
// long that takes.

type KernelUse = { runCount: number; calls: Record<string, number>; bytesPerPixel: number };

/** Analyses single-colour frames, and counts the native kernel's calls and the memory that is passed to it. */
function analyseAndCount(colours: readonly Colour[]): KernelUse {
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
    const runCount = analysePatches([wholeFrame(colours)]).length;
    const bytes = [...memory].reduce((sum, { byteLength }) => sum + byteLength, 0);
    return { runCount, calls, bytesPerPixel: Math.round(bytes / (frameSize.width * frameSize.height)) };
  } finally {
    Object.assign(kernel, functions);
  }
}

test.each([
  ['does not change', switchColours(60, []), { see: 60 }, 37],
  ['changes slowly', switchColours(60, changesEvery(10, 6)), { see: 60 }, 37],
  ['changes often, but below the flash limit', switchColours(60, changesEvery(6, 6)), { see: 60, findFlashing: 1 }, 38],
  [
    'flashes',
    switchColours(60, changesEvery(3, 20)),
    { see: 60, findFlashing: 15, collectEvents: 84, findFullest: 28 },
    81,
  ],
])(
  'in a video that %s, each frame is analysed once, and in more detail only while the video may flash',
  (what, colours, expected, bytesPerPixel) => {
    const { runCount, calls, ...memory } = analyseAndCount(colours);
    expect(runCount > 0).toBe(what === 'flashes');
    expectNumbers(`60 frames of a picture that ${what}`, { ...calls, ...memory }, { ...expected, bytesPerPixel });
  },
);
