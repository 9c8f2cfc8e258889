import { createFlashAnalyser } from '../analyser.ts';
import type { FlashRun } from '../flashes.ts';
import { toPlanes } from './to-planes.ts';

export type Colour = readonly [number, number, number];
export const grey = (value: number): Colour => [value, value, value];

/** In sRGB. `darkGrey` and `lightGrey` differ by slightly more than a tenth of the reference; `midGrey` is half-way. */
export const darkGrey = grey(64);
export const lightGrey = grey(112);
export const midGrey = grey(92);

export const frameSize = { width: 64, height: 36 };
const pixels = frameSize.width * frameSize.height;

/** Consecutive pixels, by rows from the top left, and their colour in each frame. */
export type Patch = { from: number; count: number; colours: readonly Colour[] };

export const wholeFrame = (colours: readonly Colour[]): Patch => ({ from: 0, count: pixels, colours });

/** Draws patches on a dark background, as planes G', B', R'. There are as many frames as in the longest patch. */
function* drawFrames(patches: readonly Patch[]): Generator<Uint8Array> {
  const length = Math.max(...patches.map(({ colours }) => colours.length));
  for (let i = 0; i < length; i++) {
    const rgb = new Uint8Array(pixels * 3).fill(darkGrey[0]);
    for (const { from, count, colours } of patches) {
      const colour = colours[Math.min(i, colours.length - 1)] as Colour;
      for (let pixel = from; pixel < from + count; pixel++) rgb.set(colour, pixel * 3);
    }
    yield toPlanes(rgb);
  }
}

/**
 * Analyses these patches and returns the runs found in them; `times` is a frame rate or returns the timestamp of a
 * frame.
 */
export function analysePatches(
  patches: readonly Patch[],
  times: number | ((frame: number) => number) = 30,
): FlashRun[] {
  const colour = { transfer: 'srgb', matrix: 'bt709', primaries: 'bt709', isFullRange: true, bits: 8 } as const;
  const analyser = createFlashAnalyser({ ...frameSize, ...colour, isRgb: true });
  let frame = 0;
  for (const planes of drawFrames(patches)) {
    analyser.next().set(planes);
    analyser.processFrame(typeof times === 'number' ? frame / times : times(frame));
    frame++;
  }
  return analyser.end();
}

/** Switches between two colours at the frames in `changes`; the first frame is 0. */
export function switchColours(
  length: number,
  changes: readonly number[],
  a: Colour = darkGrey,
  b: Colour = lightGrey,
): Colour[] {
  return Array.from({ length }, (_, i) => (changes.filter((change) => change <= i).length % 2 ? b : a));
}

/** Returns the frames of `count` changes at intervals of `step` frames, from the second frame on. */
export const changesEvery = (step: number, count: number) => Array.from({ length: count }, (_, i) => 1 + i * step);
