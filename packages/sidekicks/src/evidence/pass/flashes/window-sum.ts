export type Part = { left: number; top: number; right: number; bottom: number };

export type WindowSum = { count: number; part: Part };

/** Finds the position at which a window contains the most marked pixels, with a summed-area table. */
export function createWindowSum(frameSize: { width: number; height: number }) {
  let table = new Int32Array(0);

  /**
   * Searches only the part that contains all marks: a window that extends beyond it can be moved into it, or contains
   * it. Counts pixels with this mark, or with any mark if it is 0.
   */
  return (part: Part, window: { width: number; height: number }, marks: Uint8Array, mark: number): WindowSum => {
    const wide = part.right - part.left + 1;
    const high = part.bottom - part.top + 1;
    const row = wide + 1;
    if (table.length < row * (high + 1)) table = new Int32Array(row * (high + 1));
    table.fill(0, 0, row);
    for (let y = 0; y < high; y++) {
      let sum = 0;
      const at = (y + 1) * row;
      table[at] = 0;
      for (let x = 0, i = (part.top + y) * frameSize.width + part.left; x < wide; x++, i++) {
        const is = marks[i] as number;
        if (mark === 0 ? is !== 0 : is === mark) sum++;
        table[at + x + 1] = (table[at - row + x + 1] as number) + sum;
      }
    }
    const spanX = Math.min(window.width, wide);
    const spanY = Math.min(window.height, high);
    let most = -1;
    let [mostX, mostY] = [0, 0];
    for (let y = 0; y + spanY <= high; y++) {
      const above = y * row;
      const below = (y + spanY) * row;
      for (let x = 0; x + spanX <= wide; x++) {
        const count =
          (table[below + x + spanX] as number) -
          (table[above + x + spanX] as number) -
          (table[below + x] as number) +
          (table[above + x] as number);
        if (count > most) {
          most = count;
          mostX = x;
          mostY = y;
        }
      }
    }
    const left = part.left + mostX;
    const top = part.top + mostY;
    return { count: most, part: { left, top, right: left + spanX - 1, bottom: top + spanY - 1 } };
  };
}
