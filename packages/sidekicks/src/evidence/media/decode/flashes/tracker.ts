import { loadKernel } from '../signal/kernel.ts';
import { type Colour, createLight } from '../signal/light.ts';
import type { VideoFormat } from '../signal/observer.ts';
import { createHistory, type Grid, type History } from './history.ts';

/**
 * A change counts if it takes at most 66 ms or happens between adjacent frames. 1.5 ms are subtracted because
 * timestamps are often rounded, and two frames of 1/30 s (66.7 ms) are too slow.
 */
const slowestSeconds = 0.0645;
/** How many previous frames are compared: 8 cover this time at 120 fps. */
const lookBackMax = 8;
/** The edge length of a cell in pixels; `CELL_SHIFT` in the kernel. */
export const cellPixels = 32;

export type TransitionTracker = {
  /** The buffer for the next frame: planes Y, Cb, Cr of 4:2:0, or G', B', R' of RGB; a 10-bit code takes two bytes. */
  next(): Uint8Array;
  /** Analyses the frame in that buffer, or the field: fields must alternate between even and odd lines. */
  processFrame(seconds: number, lines?: Lines): void;
  luminance: History;
  red: History;
  grid: Grid;
  /** Relative luminance of one pixel of the latest frame. */
  luminanceOf(pixel: number): number;
};

/** The lines of an interlaced frame that a field has; the first line is even. */
export type Lines = 'even' | 'odd';
/** The kernel's numbers for the lines of a field, and for a whole frame. */
const linesNumbers = { frame: 0, even: 1, odd: 2 };

export type TrackedFormat = Pick<VideoFormat, 'width' | 'height' | 'isRgb'> & Colour;
type AnalysedFrame = { planes: Uint8Array; levels: Int16Array; hues: Uint8Array; redRows: Uint8Array; seconds: number };

const kernel = loadKernel();

/** The size of all planes of a frame. */
export function frameBytesOf(format: Pick<TrackedFormat, 'width' | 'height' | 'isRgb' | 'bits'>): number {
  const { width, height, isRgb, bits } = format;
  const pixels = width * height;
  const codes = isRgb ? 3 * pixels : pixels + 2 * Math.ceil(width / 2) * Math.ceil(height / 2);
  return bits > 8 ? 2 * codes : codes;
}

export function createTransitionTracker(format: TrackedFormat): TransitionTracker {
  const { width, height, isRgb } = format;
  const pixels = width * height;
  const chromaWidth = Math.ceil(width / 2);
  const grid = { across: Math.ceil(width / cellPixels), down: Math.ceil(height / cellPixels) };
  const { numbers, hue, tables, step, luminanceOf } = createLight(format);
  const size = Int32Array.of(width, height, isRgb ? 1 : 0, step, format.bits > 8 ? 1 : 0, linesNumbers.frame);
  const scratch = new Int16Array(6 * chromaWidth + width + 8); // chroma terms of R', G', B' of a row, and its marks
  const ages = new Uint8Array(pixels).fill(255); // frames since the last transition of luminance; 255 means never
  const settings = [size, numbers, hue, scratch, ages, ...(tables ? [tables.parts, tables.levels, tables.linear] : [])];

  const [luminance, red] = [createHistory(pixels, grid), createHistory(pixels, grid)];
  const createFrame = (): AnalysedFrame => ({
    planes: new Uint8Array(frameBytesOf(format)),
    levels: new Int16Array(pixels),
    hues: new Uint8Array(pixels),
    redRows: new Uint8Array(height),
    seconds: 0,
  });
  /** Newest first. */
  const recent: AnalysedFrame[] = [];
  const spare: AnalysedFrame[] = [];
  let next = createFrame();
  let count = 0;

  return {
    next: () => next.planes,
    processFrame(seconds, lines) {
      size[5] = linesNumbers[lines ?? 'frame'];
      while (
        recent.length > 1 &&
        (recent.length > lookBackMax || seconds - (recent.at(-1)?.seconds ?? 0) > slowestSeconds)
      ) {
        spare.push(recent.pop() as AnalysedFrame);
      }
      recent.unshift(Object.assign(next, { seconds }));
      next = spare.pop() ?? createFrame();
      const frames = recent.flatMap(({ planes, levels, hues, redRows }) => [planes, levels, hues, redRows]);
      kernel.see(settings, frames, luminance.begin(count, seconds), red.begin(count, seconds));
      luminance.end();
      red.end();
      count++;
    },
    luminance,
    red,
    grid,
    luminanceOf: (pixel) => luminanceOf(recent[0]?.levels[pixel] ?? 0),
  };
}
