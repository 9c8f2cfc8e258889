import { createFlashAnalyser } from '../analyser.ts';
import type { FlashRun } from '../flashes.ts';
import { toPlanes } from './to-planes.ts';

export type Colour = readonly [number, number, number];
export const grey = (value: number): Colour => [value, value, value];

/** A tenth of the reference and a little more apart, in sRGB; the third lies half-way between them. */
export const dark = grey(64);
export const light = grey(112);
export const between = grey(92);

export const size = { width: 64, height: 36 };
const pixels = size.width * size.height;

/** Pixels from the top left, by rows, and their colour at each picture. */
export type Patch = { from: number; count: number; colours: readonly Colour[] };

export const whole = (colours: readonly Colour[]): Patch => ({ from: 0, count: pixels, colours });

/** Pictures of these patches on dark ground, as long as the longest: planes G', B', R'. */
export function* pictures(patches: readonly Patch[]): Generator<Uint8Array> {
  const length = Math.max(...patches.map(({ colours }) => colours.length));
  for (let i = 0; i < length; i++) {
    const rgb = new Uint8Array(pixels * 3).fill(dark[0]);
    for (const { from, count, colours } of patches) {
      const colour = colours[Math.min(i, colours.length - 1)] as Colour;
      for (let pixel = from; pixel < from + count; pixel++) rgb.set(colour, pixel * 3);
    }
    yield toPlanes(rgb);
  }
}

/** What is found in them; `times` is a rate, or the moment of each picture. */
export function analyse(patches: readonly Patch[], times: number | ((frame: number) => number) = 30): FlashRun[] {
  const analyser = createFlashAnalyser({ ...size, transfer: 'srgb', matrix: 'bt709', isFullRange: true, isRgb: true });
  let frame = 0;
  for (const planes of pictures(patches)) {
    analyser.next().set(planes);
    analyser.see(typeof times === 'number' ? frame / times : times(frame));
    frame++;
  }
  return analyser.end();
}

/** Pictures at which the colour changes from one to the other and back; the first is 0. */
export function switching(length: number, changes: readonly number[], a: Colour = dark, b: Colour = light): Colour[] {
  return Array.from({ length }, (_, i) => (changes.filter((change) => change <= i).length % 2 ? b : a));
}

/** So many changes, one every so many pictures, from the second on. */
export const every = (step: number, count: number) => Array.from({ length: count }, (_, i) => 1 + i * step);
