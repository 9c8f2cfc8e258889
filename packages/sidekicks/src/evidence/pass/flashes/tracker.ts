import type { PictureFormat } from '../observer.ts';
import { createHistory, type Grid, type History } from './history.ts';
import { loadKernel } from './kernel.ts';
import { createLight } from './light.ts';

/**
 * A change counts if it is reached within 66 ms, or from one frame to the next; less 1.5 ms, as time stamps are often
 * rounded and two frames of a thirtieth, 66.7 ms, are too slow.
 */
const slowestSeconds = 0.0645;
/** Frames looked back at: 8 cover the time at 120 a second. */
const lookBackMax = 8;
/** Edge of a cell in pixels, as the kernel has it. */
export const cellPixels = 32;

export type TransitionTracker = {
  /** Where the next frame goes, 8 bits, without gaps: planes Y, Cb, Cr of 4:2:0, or of an RGB video G', B', R'. */
  next(): Uint8Array;
  /** Looks at the frame that was put there. */
  see(seconds: number): void;
  luminance: History;
  red: History;
  grid: Grid;
  /** Relative luminance of one pixel of the latest frame. */
  luminanceOf(pixel: number): number;
};

type Format = Pick<PictureFormat, 'width' | 'height' | 'transfer' | 'matrix' | 'isFullRange' | 'isRgb'>;
type Frame = { planes: Uint8Array; levels: Int16Array; hues: Uint8Array; seconds: number };

const kernel = loadKernel();

/** Of all planes of a frame. */
export function frameBytesOf({ width, height, isRgb }: Pick<Format, 'width' | 'height' | 'isRgb'>): number {
  const pixels = width * height;
  return isRgb ? 3 * pixels : pixels + 2 * Math.ceil(width / 2) * Math.ceil(height / 2);
}

export function createTransitionTracker(format: Format): TransitionTracker {
  const { width, height, isRgb } = format;
  const pixels = width * height;
  const chromaWidth = Math.ceil(width / 2);
  const grid = { across: Math.ceil(width / cellPixels), down: Math.ceil(height / cellPixels) };
  const { numbers, hue, tables, step, luminanceOf } = createLight(format);
  const size = Int32Array.of(width, height, isRgb ? 1 : 0, step);
  const room = new Int16Array(6 * chromaWidth + width + 8); // what chroma adds to three rows, and marks of one
  const settings = [size, numbers, hue, room, ...(tables ? [tables.parts, tables.levels, tables.linear] : [])];

  const [luminance, red] = [createHistory(pixels, grid), createHistory(pixels, grid)];
  const createFrame = (): Frame => ({
    planes: new Uint8Array(frameBytesOf(format)),
    levels: new Int16Array(pixels),
    hues: new Uint8Array(pixels),
    seconds: 0,
  });
  /** Newest first. */
  const seen: Frame[] = [];
  const spare: Frame[] = [];
  let next = createFrame();
  let count = 0;

  return {
    next: () => next.planes,
    see(seconds) {
      while (seen.length > 1 && (seen.length > lookBackMax || seconds - (seen.at(-1)?.seconds ?? 0) > slowestSeconds)) {
        spare.push(seen.pop() as Frame);
      }
      seen.unshift(Object.assign(next, { seconds }));
      next = spare.pop() ?? createFrame();
      const frames = seen.flatMap(({ planes, levels, hues }) => [planes, levels, hues]);
      kernel.see(settings, frames, luminance.begin(count, seconds), red.begin(count, seconds));
      luminance.end();
      red.end();
      count++;
    },
    luminance,
    red,
    grid,
    luminanceOf: (pixel) => luminanceOf(seen[0]?.levels[pixel] ?? 0),
  };
}
