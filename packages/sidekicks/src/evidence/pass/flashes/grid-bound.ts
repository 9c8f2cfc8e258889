import { type AreaSize, transitionsMin } from './flashes.ts';
import type { Grid, History } from './history.ts';
import { cellPixels } from './tracker.ts';

/** Alternations are counted from the first that ever was. Those of the last second alone may be one more. */
const alternationsMin = transitionsMin - 1;
/** A second, and the time within which transitions of one direction are one. */
const spanSeconds = 1 + 0.0205;
const togetherSeconds = 0.0205;

/** Up or down in all cells from the top left to each; first row and column are 0. */
type Sums = { seconds: number; up: Int32Array; down: Int32Array };

/**
 * Says which areas may have flashed too often within the last second, by how many pixels of each cell of a grid made a
 * transition at each picture. A window has at most the transitions of the cells that it touches, so it is never passed by
 * if it did; counting cells is far cheaper than counting pixels.
 */
export function createGridBound(grid: Grid, areas: readonly AreaSize[], shareMin: number) {
  const watched = areas.map((area) => watch(grid, area, area.width * area.height * shareMin));
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
    return watched.flatMap(({ area, see }) => (see(recent, seconds) ? area : []));
  };
}

function watch({ across, down }: Grid, area: AreaSize, pixelsMin: number) {
  // Wherever it lies, a window touches at most so many cells.
  const wide = Math.min(across, Math.ceil((area.width - 1) / cellPixels) + 1);
  const high = Math.min(down, Math.ceil((area.height - 1) / cellPixels) + 1);
  const [columns, rows] = [across - wide + 1, down - high + 1];
  const row = across + 1;
  const times = new Float64Array(columns * rows * alternationsMin).fill(Number.NEGATIVE_INFINITY);
  const counts = new Uint32Array(columns * rows);
  /** 0: none yet, 1: up, 2: down. */
  const last = new Uint8Array(columns * rows);

  /** Notes alternations of each place, and says whether any has enough of them. */
  function see(recent: readonly Sums[], seconds: number): boolean {
    const end = row * (down + 1) - 1;
    if (together(recent, 'up', 0, end, row) < pixelsMin && together(recent, 'down', 0, end, row) < pixelsMin)
      return false;
    let isPossible = false;
    for (let y = 0, place = 0; y < rows; y++) {
      for (let x = 0; x < columns; x++, place++) {
        const [from, to] = [y * row + x, (y + high) * row + x + wide];
        const isUp = together(recent, 'up', from, to, row) >= pixelsMin;
        const isDown = together(recent, 'down', from, to, row) >= pixelsMin;
        if (!isUp && !isDown) continue;
        if (isUp && isDown) {
          note(place, seconds);
          note(place, seconds); // there and back: the last direction stays
          last[place] ||= 1;
        } else if (last[place] !== (isUp ? 1 : 2)) {
          note(place, seconds);
          last[place] = isUp ? 1 : 2;
        }
        const oldest = times[place * alternationsMin + ((counts[place] as number) % alternationsMin)] as number;
        if (seconds - oldest <= spanSeconds) isPossible = true;
      }
    }
    return isPossible;
  }

  function note(place: number, seconds: number): void {
    times[place * alternationsMin + ((counts[place] as number) % alternationsMin)] = seconds;
    counts[place] = (counts[place] as number) + 1;
  }

  return { area, see };
}

/** Transitions of one direction between two corners, of all pictures so shortly before. */
function together(recent: readonly Sums[], direction: 'up' | 'down', from: number, to: number, row: number): number {
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
