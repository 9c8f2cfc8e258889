import { togetherSeconds } from './alternation.ts';
import { type AreaSize, transitionsMin } from './flashes.ts';
import type { Grid, History } from './history.ts';
import { cellPixels } from './tracker.ts';

/** Alternations are counted from the start of the video. Counted on its own, the last second may have one more. */
const alternationsMin = transitionsMin - 1;
/** A second plus the time within which transitions in one direction count as one. */
const spanSeconds = 1 + togetherSeconds;

/** Summed-area tables of transitions up and down by cell; the first row and column are 0. */
type Sums = { seconds: number; up: Int32Array; down: Int32Array };

/**
 * Returns the areas that may have flashed too often within the last second, based on the number of transitions in each
 * cell of a grid. A window has at most the transitions of the cells that it touches, so none is missed. Counting cells
 * is far cheaper than counting pixels.
 */
export function createGridBound(grid: Grid, areas: readonly AreaSize[], shareMin: number) {
  const watched = areas.map((area) => watchArea(grid, area, area.width * area.height * shareMin));
  let recent: Sums[] = [];
  const spare: Sums[] = [];

  return (history: History): AreaSize[] => {
    const seconds = history.secondsOf(0);
    const [up, down] = history.cells();
    spare.push(...recent.filter((one) => seconds - one.seconds > togetherSeconds));
    recent = recent.filter((one) => seconds - one.seconds <= togetherSeconds);
    const sums = spare.pop() ?? createSums(grid);
    sums.seconds = seconds;
    sumUp(up, grid, sums.up);
    sumUp(down, grid, sums.down);
    recent.push(sums);
    return watched.flatMap(({ area, update }) => (update(recent, seconds) ? area : []));
  };
}

function watchArea({ across, down }: Grid, area: AreaSize, pixelsMin: number) {
  // The most cells that a window can touch at any position.
  const wide = Math.min(across, Math.ceil((area.width - 1) / cellPixels) + 1);
  const high = Math.min(down, Math.ceil((area.height - 1) / cellPixels) + 1);
  const [columns, rows] = [across - wide + 1, down - high + 1];
  const row = across + 1;
  const times = new Float64Array(columns * rows * alternationsMin).fill(Number.NEGATIVE_INFINITY);
  const counts = new Uint32Array(columns * rows);
  /** 0: none yet, 1: up, 2: down. */
  const last = new Uint8Array(columns * rows);

  /** Records the alternations at each position, and returns whether any position has enough of them. */
  function update(recent: readonly Sums[], seconds: number): boolean {
    const end = row * (down + 1) - 1;
    if (sumTogether(recent, 'up', 0, end, row) < pixelsMin && sumTogether(recent, 'down', 0, end, row) < pixelsMin)
      return false;
    let isPossible = false;
    for (let y = 0, position = 0; y < rows; y++) {
      for (let x = 0; x < columns; x++, position++) {
        const [from, to] = [y * row + x, (y + high) * row + x + wide];
        const isUp = sumTogether(recent, 'up', from, to, row) >= pixelsMin;
        const isDown = sumTogether(recent, 'down', from, to, row) >= pixelsMin;
        if (!isUp && !isDown) continue;
        if (isUp && isDown) {
          note(position, seconds);
          note(position, seconds); // transitions go both up and down, so the last direction does not change
          last[position] ||= 1;
        } else if (last[position] !== (isUp ? 1 : 2)) {
          note(position, seconds);
          last[position] = isUp ? 1 : 2;
        }
        const oldest = times[position * alternationsMin + ((counts[position] as number) % alternationsMin)] as number;
        if (seconds - oldest <= spanSeconds) isPossible = true;
      }
    }
    return isPossible;
  }

  function note(position: number, seconds: number): void {
    times[position * alternationsMin + ((counts[position] as number) % alternationsMin)] = seconds;
    counts[position] = (counts[position] as number) + 1;
  }

  return { area, update };
}

/** The transitions in one direction between two corners, added up over recent frames. */
function sumTogether(recent: readonly Sums[], direction: 'up' | 'down', from: number, to: number, row: number): number {
  const wide = (to - from) % row;
  let sum = 0;
  for (const sums of recent) {
    const table = sums[direction];
    sum +=
      (table[to] as number) - (table[from + wide] as number) - (table[to - wide] as number) + (table[from] as number);
  }
  return sum;
}

function createSums({ across, down }: Grid): Sums {
  const length = (across + 1) * (down + 1);
  return { seconds: 0, up: new Int32Array(length), down: new Int32Array(length) };
}

function sumUp(cells: Int32Array, { across, down }: Grid, table: Int32Array): void {
  const row = across + 1;
  for (let y = 0; y < down; y++) {
    let sum = 0;
    for (let x = 0; x < across; x++) {
      sum += cells[y * across + x] as number;
      table[(y + 1) * row + x + 1] = (table[y * row + x + 1] as number) + sum;
    }
  }
}
