import type { FoundPattern } from './find-pattern.ts';

export const directionCount = 4;
/** With fewer pixels, a cell does not show how its stripes move. */
const votesMin = 24;
const agreementMin = 0.4;

/** A frame is divided into square cells, numbered row by row. `cellOf` has the cell of each pixel. */
export type CellGrid = { columns: number; cells: number; cellOf: Int32Array };

/**
 * Compares the stripes of each frame with those of the frame before it. A slot is one direction of one cell: its number
 * is `cell * directionCount + direction`.
 */
export class StripePhases {
  readonly #grid: CellGrid;
  readonly #lastSigns: Int8Array;
  // By slot: the pixels in stripes now and in the last frame, the sum of their periods, and the agreement of their signs
  // with those of the last frame, as it was and shifted by a quarter of a period.
  readonly #votes: Int32Array;
  readonly #lastVotes: Int32Array;
  readonly #periods: Float32Array;
  readonly #inPhase: Float32Array;
  readonly #inQuadrature: Float32Array;

  constructor(grid: CellGrid) {
    const slots = grid.cells * directionCount;
    this.#grid = grid;
    this.#lastSigns = new Int8Array(grid.cellOf.length);
    this.#votes = new Int32Array(slots);
    this.#lastVotes = new Int32Array(slots);
    this.#periods = new Float32Array(slots);
    this.#inPhase = new Float32Array(slots);
    this.#inQuadrature = new Float32Array(slots);
  }

  compare({ runs, signs }: FoundPattern): void {
    const { cellOf } = this.#grid;
    const [lastSigns, votes, periods] = [this.#lastSigns, this.#votes, this.#periods];
    const [inPhase, inQuadrature] = [this.#inPhase, this.#inQuadrature];
    this.#lastVotes.set(votes);
    for (const sums of [votes, periods, inPhase, inQuadrature]) sums.fill(0);
    for (const { direction, start, stride, length, period } of runs) {
      const distance = direction < 2 ? period : period * Math.SQRT2;
      const quarter = Math.max(1, Math.round(period / 4)) * stride;
      for (let i = 0, at = start; i < length; i++, at += stride) {
        const sign = signs[at] as number;
        const slot = (cellOf[at] as number) * directionCount + direction;
        votes[slot] = (votes[slot] as number) + 1;
        periods[slot] = (periods[slot] as number) + distance;
        inPhase[slot] = (inPhase[slot] as number) + sign * (lastSigns[at] as number);
        // A frame's quadrature with itself is not zero if a cell contains less than a period, so it is subtracted.
        const difference = (lastSigns[at - quarter] ?? 0) - (lastSigns[at + quarter] ?? 0);
        const own = (signs[at - quarter] ?? 0) - (signs[at + quarter] ?? 0);
        inQuadrature[slot] = (inQuadrature[slot] as number) + (sign * (difference - own)) / 2;
      }
    }
    lastSigns.set(signs);
  }

  /** How far stripes moved since the last frame, where a period is 2π; `null` if too few pixels agree on it. */
  stepOf(slot: number): number | null {
    if ((this.#votes[slot] as number) < votesMin) return null;
    const [same, moved] = [this.#sumAround(this.#inPhase, slot), this.#sumAround(this.#inQuadrature, slot)];
    const agreement = Math.abs(same) + Math.abs(moved);
    if (agreement < agreementMin * this.#sumAround(this.#votes, slot)) return null;
    // Signs are square waves, so their agreement falls linearly from 1 to −1 over half a period.
    return (Math.sign(moved) || 1) * (1 - same / agreement) * (Math.PI / 2);
  }

  /** The direction closest to the perpendicular of a cell's stripes, which is the one in which they are narrowest. */
  directionOf(cell: number): number {
    const slots = this.#votes.subarray(cell * directionCount, (cell + 1) * directionCount);
    const enough = Math.max(...slots) / 2;
    let found = 0;
    let narrowest = Number.POSITIVE_INFINITY;
    for (const [direction, number] of slots.entries()) {
      const period = (this.#periods[cell * directionCount + direction] as number) / number;
      if (number < enough || period >= narrowest) continue;
      found = direction;
      narrowest = period;
    }
    return found;
  }

  /** Whether the stripes of the last frame in one direction were replaced by stripes in another direction. */
  isReplaced(cell: number, lastDirection: number, direction: number): boolean {
    if (lastDirection === direction) return false;
    const last = cell * directionCount + lastDirection;
    const slot = cell * directionCount + direction;
    const votes = this.#votes;
    return (this.#lastVotes[last] as number) >= votesMin && (votes[last] as number) < (votes[slot] as number) / 4;
  }

  /** The sum over a cell and its neighbours: the motion of wide stripes is not visible in a single cell. */
  #sumAround(sums: Float32Array | Int32Array, slot: number): number {
    const { columns } = this.#grid;
    const cell = Math.floor(slot / directionCount);
    const column = cell % columns;
    let sum = 0;
    for (let y = -columns; y <= columns; y += columns)
      for (let x = column > 0 ? -1 : 0; x <= (column < columns - 1 ? 1 : 0); x++)
        sum += sums[slot + (y + x) * directionCount] ?? 0;
    return sum;
  }
}
