import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const sourceFolder = new URL('../../../../native/', import.meta.url);
const builtFolder = new URL('../../../../dist/', import.meta.url);

export type Kernel = {
  /**
   * Finds the transitions of the newest frame and notes them in both histories.
   *
   * @param settings width, height, whether it is RGB and the step; light; hue; room for three rows; tables, or none
   * @param frames of each frame, newest first: its planes, levels and hues
   */
  see(
    settings: ArrayBufferView[],
    frames: ArrayBufferView[],
    luminance: ArrayBufferView[],
    red: ArrayBufferView[],
  ): void;
  /**
   * Marks the pixels that made so many transitions.
   *
   * @param memory width, height, that number and the bits of each chunk, which become the count and the box around them;
   *   the mask; the words of each chunk
   */
  findFlashing(memory: ArrayBufferView[]): void;
  /**
   * Makes a frame smaller.
   *
   * @param memory width and height of both; light; planes Y, Cb, Cr of 4:2:0; room; where R', G', B' of each pixel go
   */
  shrink(memory: ArrayBufferView[]): void;
  /** Writes both ends of a new pipe, the reading one first; it holds a large part of a frame. */
  openPipe(memory: [Int32Array]): void;
};

/** Its sources in C, with their headers. */
export function kernelSources(): string[] {
  const names = readdirSync(sourceFolder).filter((name) => /\.[ch]$/.test(name));
  return names.toSorted().map((name) => fileURLToPath(new URL(name, sourceFolder)));
}

/** Named after its sources, so that an old one is never taken for it. */
export function builtKernel(): string {
  const hash = createHash('sha256');
  for (const path of kernelSources()) hash.update(basename(path)).update(readFileSync(path));
  const name = `kernel-${hash.digest('hex').slice(0, 16)}-${process.arch}.node`;
  return fileURLToPath(new URL(name, builtFolder));
}

/** All of it, loaded once. */
export function loadKernel(): Kernel {
  const path = builtKernel();
  if (!existsSync(path)) throw new Error(`${path} is missing. Run ./setup or pnpm kernel, which build it with gcc.`);
  return createRequire(import.meta.url)(path) as Kernel;
}
