import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const sourceFolder = new URL('../../../../../native/', import.meta.url);
const builtFolder = new URL('../../../../../dist/', import.meta.url);

export type Kernel = {
  /**
   * Finds the transitions of the newest frame and records them in both histories.
   *
   * @param settings [width, height, is RGB, step, is 10-bit, lines of the newest frame: 0 all, 1 even, 2 odd], light, hue, scratch memory for three rows, the number
   *   of frames since the last transition of each pixel, and the tables if there are any
   * @param frames planes, levels, hues and rows with red of each frame, newest first
   */
  see(
    settings: ArrayBufferView[],
    frames: ArrayBufferView[],
    luminance: ArrayBufferView[],
    red: ArrayBufferView[],
  ): void;
  /**
   * Marks the pixels with at least a number of transitions.
   *
   * @param memory [width, height, that number, bits of each chunk], of which the first five are overwritten by the
   *   count and the bounding box of the marked pixels; the mask; the words of each chunk
   */
  findFlashing(memory: ArrayBufferView[]): void;
  /**
   * Counts the transitions of the marked pixels in a part of the frame by age.
   *
   * @param memory [width, left, top, right, bottom, span, stride, bit of the latest frame in each chunk], the mask, the
   *   directions, scratch memory for three rows, the targets for up and down, and the words of each chunk
   */
  collectEvents(memory: ArrayBufferView[]): void;
  /**
   * Finds the position at which a window contains the most marks.
   *
   * @param memory [frame width, left, top, right, bottom, window width, window height, mark], of which the first three
   *   are overwritten by the count and the position within the part; the marks; scratch memory for a summed-area table
   */
  findFullest(memory: ArrayBufferView[]): void;
  /**
   * Scales a 4:2:0 frame down.
   *
   * @param memory [width, height, small width, small height, is 10-bit], light, the planes Y, Cb, Cr, scratch memory,
   *   and the target for packed 8-bit R'G'B'
   */
  shrink(memory: ArrayBufferView[]): void;
  /**
   * Measures the sampled pixels outside limits.
   *
   * @param memory the limits (see `createMeasure`), [number of samples, count, lowest, highest] of which the last three
   *   are overwritten, and the sums of `LevelSample`
   */
  measureLevels(memory: ArrayBufferView[]): void;
  /**
   * Samples pixels of a 4:2:0 frame at even distances.
   *
   * @param memory [width, height, samples across, samples down, is 10-bit], planes Y, Cb, Cr, and the targets: codes and
   *   sums of `LevelSample`
   */
  sampleLevels(memory: ArrayBufferView[]): void;
  /**
   * Sums luma and counts dark pixels.
   *
   * @param memory [weight of R', G', B', the highest luma of a dark pixel, number of pixels], packed 8-bit R'G'B', and
   *   the target for the sum and the count
   */
  measureLuma(memory: ArrayBufferView[]): void;
  /** Opens a pipe that buffers a large part of a frame. Writes its file descriptors to `memory`, the read end first. */
  openPipe(memory: [Int32Array]): void;
};

/** The C sources and headers. */
export function kernelSources(): string[] {
  const names = readdirSync(sourceFolder).filter((name) => /\.[ch]$/.test(name));
  return names.toSorted().map((name) => fileURLToPath(new URL(name, sourceFolder)));
}

/** The path of the built kernel. It contains a hash of the sources, so that an outdated build is never loaded. */
export function builtKernel(): string {
  const hash = createHash('sha256');
  for (const path of kernelSources()) hash.update(basename(path)).update(readFileSync(path));
  const name = `kernel-${hash.digest('hex').slice(0, 16)}-${process.arch}.node`;
  return fileURLToPath(new URL(name, builtFolder));
}

/** Loads the kernel; Node.js caches it. */
export function loadKernel(path = builtKernel()): Kernel {
  if (!existsSync(path)) throw new Error(`${path} is missing. Run ./setup or pnpm kernel, which build it with gcc.`);
  return createRequire(import.meta.url)(path) as Kernel;
}
