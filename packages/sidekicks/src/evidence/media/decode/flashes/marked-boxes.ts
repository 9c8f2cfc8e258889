import type { FlashBox } from '#sidekick/flash-still.ts';
import type { FramePart } from './window-sum.ts';

/** The frame has this many cells across or down, whichever is more. Marks in neighbouring cells belong together. */
const cellsMax = 64;
/** Cells with a smaller share of the marks of the fullest cell are noise: they would connect what is separate. */
const cellShareMin = 0.35;
/** Areas with a smaller share of the marks of the largest area are noise. */
const areaShareMin = 0.1;
/** A line beside an area belongs to it if it has this share of the marks of the outermost line in it. */
const lineShareMin = 0.6;
/** More areas than this become one, which surrounds them all. */
const boxesMax = 6;

type Size = { width: number; height: number };
type Marked = FramePart & { count: number };

/** The bounding boxes of the separate areas of a frame that have marks, the largest first. All marks are in `part`. */
export function boxesOfMarks(marks: Uint8Array, frame: Size, part: FramePart): FlashBox[] {
  const cellPixels = Math.max(1, Math.ceil(Math.max(frame.width, frame.height) / cellsMax));
  const cells = countByCell(marks, frame, part, cellPixels);
  const areas = joinNear(keepFullest(cells, cellShareMin), cellPixels);
  const kept = keepFullest(areas, areaShareMin);
  const joined = kept.length > boxesMax ? [kept.reduce(join)] : kept;
  return joined
    .toSorted((a, b) => b.count - a.count)
    .map((area) => {
      const { left, top, right, bottom } = withLinesBeside(area, marks, frame, cellPixels);
      return {
        x: left / frame.width,
        y: top / frame.height,
        width: (right - left + 1) / frame.width,
        height: (bottom - top + 1) / frame.height,
      };
    });
}

function countByCell(marks: Uint8Array, { width }: Size, part: FramePart, cellPixels: number): Marked[] {
  const { left, top, right, bottom } = part;
  const across = Math.floor((right - left) / cellPixels) + 1;
  const cells = new Map<number, Marked>();
  for (let y = top; y <= bottom; y++) {
    const firstCell = Math.floor((y - top) / cellPixels) * across;
    for (let x = left; x <= right; x++) {
      if (!marks[y * width + x]) continue;
      const cell = firstCell + Math.floor((x - left) / cellPixels);
      const known = cells.get(cell);
      if (known) include(known, x, y);
      else cells.set(cell, { left: x, top: y, right: x, bottom: y, count: 1 });
    }
  }
  return [...cells.values()];
}

/** Extends an area by the lines of cells that it fills only in part, at most by a cell. */
function withLinesBeside(area: FramePart, marks: Uint8Array, { width, height }: Size, cellPixels: number): FramePart {
  const { left, top, right, bottom } = area;
  const inRow = (y: number) => countLine(marks, y * width + left, right - left + 1, 1);
  const inColumn = (x: number) => countLine(marks, top * width + x, bottom - top + 1, width);
  return {
    left: extend(left, -1, inColumn, 0),
    top: extend(top, -1, inRow, 0),
    right: extend(right, 1, inColumn, width - 1),
    bottom: extend(bottom, 1, inRow, height - 1),
  };

  function extend(from: number, step: 1 | -1, countAt: (line: number) => number, last: number): number {
    const least = lineShareMin * countAt(from);
    let line = from;
    for (let i = 0; i < cellPixels && line !== last && countAt(line + step) >= least; i++) line += step;
    return line;
  }
}

function countLine(marks: Uint8Array, from: number, length: number, step: number): number {
  let count = 0;
  for (let i = 0, at = from; i < length; i++, at += step) if (marks[at]) count++;
  return count;
}

function keepFullest(parts: readonly Marked[], shareMin: number): Marked[] {
  const most = parts.reduce((count, part) => Math.max(count, part.count), 0);
  return parts.filter(({ count }) => count >= shareMin * most);
}

/** Joins parts until no two of them are near each other: first along the rows of cells, which is most of the work. */
function joinNear(parts: Marked[], distance: number): Marked[] {
  let rest = parts;
  for (;;) {
    const joined: Marked[] = [];
    for (const one of rest) {
      const near = joined.findLastIndex((other) => overlap(one, other, distance));
      if (near < 0) joined.push(one);
      else joined[near] = join(joined[near] as Marked, one);
    }
    if (joined.length === rest.length) return joined;
    rest = joined;
  }
}

function include(part: Marked, x: number, y: number): void {
  part.count++;
  if (x < part.left) part.left = x;
  if (x > part.right) part.right = x;
  if (y > part.bottom) part.bottom = y; // rows are visited from the top
}

function join(a: Marked, b: Marked): Marked {
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
    count: a.count + b.count,
  };
}

function overlap(a: FramePart, b: FramePart, distance: number): boolean {
  return (
    a.left - distance <= b.right &&
    b.left - distance <= a.right &&
    a.top - distance <= b.bottom &&
    b.top - distance <= a.bottom
  );
}
