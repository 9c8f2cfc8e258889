import { loadKernel } from '../signal/kernel.ts';

const kernel = loadKernel();

export type FramePart = { left: number; top: number; right: number; bottom: number };

export type FullestWindow = { count: number; part: FramePart };

/** Finds the position at which a window contains the most marked pixels, with a summed-area table. */
export function createWindowSum(frameSize: { width: number; height: number }) {
  let table = new Int32Array(0);

  /**
   * Searches only the part that contains all marks: a window that extends beyond this part can be moved into it, or
   * contains all of it. Counts pixels with this mark, or with any mark if it is 0.
   */
  return (
    part: FramePart,
    window: { width: number; height: number },
    marks: Uint8Array,
    mark: number,
  ): FullestWindow => {
    const wide = part.right - part.left + 1;
    const high = part.bottom - part.top + 1;
    const tableSize = (wide + 1) * (high + 1);
    if (table.length < tableSize) table = new Int32Array(tableSize);
    const { left, top, right, bottom } = part;
    const numbers = Int32Array.of(frameSize.width, left, top, right, bottom, window.width, window.height, mark);
    kernel.findFullest([numbers, marks, table]);
    const [count = 0, x = 0, y = 0] = numbers;
    const found = { left: left + x, top: top + y };
    const [spanX, spanY] = [Math.min(window.width, wide), Math.min(window.height, high)];
    return { count, part: { ...found, right: found.left + spanX - 1, bottom: found.top + spanY - 1 } };
  };
}
