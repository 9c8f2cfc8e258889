import type { FoundPattern } from './find-pattern.ts';
import { patternSecondsMin } from './patterns.ts';
import { type CellGrid, directionCount, StripePhases } from './stripe-phases.ts';

const cellPixels = 16;
/** If stripes cover less than a quarter of a cell, they may have vanished. */
const flashingPixelsMin = (cellPixels * cellPixels) / 4;
/**
 * Phase differences, where a period is 2π: an oscillation counts from 1/6 of a period on, and about half a period is a
 * reversal.
 */
const oscillationMin = Math.PI / 3;
const reversalMin = (3 * Math.PI) / 4;
/** The least change in cd/m² when stripes appear or vanish; with a smaller change, the finder only lost them. */
const flashStepMin = 10;

/** Two changes within this time are more than a single cut or change of direction. */
const changeWindowSeconds = 1;
/** Flashing stripes reappear within this time. */
const presentSeconds = 0.35;
/** Stripes that are lost in noise for no longer than this are still present. */
const lostSeconds = 0.1;
/**
 * Stripes are stationary if they do not move for 0.5 s. As not every frame is searched, their start is found with a
 * delay of at most this.
 */
export const lateSecondsMax = 0.14;
const stillSeconds = patternSecondsMin - lateSecondsMax;

/** The number of pixels in stripes, by motion. Stripes that drift in one direction are neither changing nor still. */
type MotionAreas = { present: number; changing: number; still: number };

/**
 * Tracks stripes from frame to frame in cells of 16 × 16 pixels. Their phase relative to the last frame is the distance
 * that they moved, as a fraction of their period. The caller updates `luminance` for each frame.
 */
export class Motion {
  readonly #luminance: Float32Array;
  readonly #lastLuminance: Float32Array;
  readonly #width: number;
  readonly #height: number;
  readonly #grid: CellGrid;
  readonly #phases: StripePhases;

  // By slot of `StripePhases`: how far its stripes moved, where they last turned, and since when they have been still.
  readonly #phase: Float32Array;
  readonly #turnedAt: Float32Array;
  readonly #heading: Int8Array;
  readonly #anchor: Float32Array;
  readonly #stillSince: Float64Array;

  // By cell. A direction of −1 is unknown.
  readonly #count: Int32Array;
  readonly #area: Int32Array;
  readonly #seenAt: Float64Array;
  readonly #hasVanished: Uint8Array;
  readonly #direction: Int8Array;
  readonly #changedAt: Float64Array;
  readonly #changedBefore: Float64Array;

  constructor(luminance: Float32Array, width: number, height: number) {
    const columns = Math.ceil(width / cellPixels);
    const cells = columns * Math.ceil(height / cellPixels);
    const cellOf = Int32Array.from(
      { length: width * height },
      (_, at) => Math.floor(Math.floor(at / width) / cellPixels) * columns + Math.floor((at % width) / cellPixels),
    );
    this.#luminance = luminance;
    this.#lastLuminance = new Float32Array(width * height);
    this.#width = width;
    this.#height = height;
    this.#grid = { columns, cells, cellOf };
    this.#phases = new StripePhases(this.#grid);

    const slots = cells * directionCount;
    this.#phase = new Float32Array(slots);
    this.#turnedAt = new Float32Array(slots);
    this.#heading = new Int8Array(slots);
    this.#anchor = new Float32Array(slots);
    this.#stillSince = new Float64Array(slots);

    this.#count = new Int32Array(cells);
    this.#area = new Int32Array(cells);
    this.#seenAt = new Float64Array(cells).fill(Number.NEGATIVE_INFINITY);
    this.#hasVanished = new Uint8Array(cells);
    this.#direction = new Int8Array(cells).fill(-1);
    this.#changedAt = new Float64Array(cells).fill(Number.NEGATIVE_INFINITY);
    this.#changedBefore = new Float64Array(cells).fill(Number.NEGATIVE_INFINITY);
  }

  /** Processes the next frame, even one without a pattern, in which earlier stripes may have vanished. */
  take(seconds: number, pattern: FoundPattern): void {
    this.#phases.compare(pattern);
    this.#countPixels(pattern.signs);
    for (let cell = 0; cell < this.#grid.cells; cell++) {
      if (!this.#update(cell, seconds)) continue;
      this.#changedBefore[cell] = this.#changedAt[cell] as number;
      this.#changedAt[cell] = seconds;
    }
    this.#lastLuminance.set(this.#luminance);
  }

  areas(seconds: number): MotionAreas {
    const areas = { present: 0, changing: 0, still: 0 };
    for (let cell = 0; cell < this.#grid.cells; cell++) {
      const seenAt = this.#seenAt[cell] as number;
      if (seconds - seenAt > presentSeconds) continue;
      const size = this.#area[cell] as number;
      areas.present += size;
      const stillSince = this.#stillSince[cell * directionCount + (this.#direction[cell] as number)] as number;
      if (seconds - (this.#changedBefore[cell] as number) <= changeWindowSeconds) areas.changing += size;
      else if (seconds - seenAt <= lostSeconds && seenAt - stillSince >= stillSeconds) areas.still += size;
    }
    return areas;
  }

  #countPixels(signs: Int8Array): void {
    const { cellOf } = this.#grid;
    const count = this.#count.fill(0);
    for (let at = 0; at < cellOf.length; at++)
      if (signs[at]) count[cellOf[at] as number] = (count[cellOf[at] as number] as number) + 1;
  }

  /** Returns whether the stripes of a cell appeared, vanished, turned, or reversed their contrast. */
  #update(cell: number, seconds: number): boolean {
    const age = seconds - (this.#seenAt[cell] as number);
    const wasPresent = age <= presentSeconds;
    const hadVanished = this.#hasVanished[cell] === 1;
    const count = this.#count[cell] as number;
    if (count < flashingPixelsMin && (this.#area[cell] as number) >= flashingPixelsMin && wasPresent) {
      if (hadVanished || !this.#hasLightChanged(cell)) return false;
      this.#hasVanished[cell] = 1;
      return true;
    }
    if (count === 0) return false;
    const isBack = hadVanished && age <= changeWindowSeconds;
    if (!wasPresent && !isBack) this.#forget(cell, seconds);
    this.#hasVanished[cell] = 0;
    this.#area[cell] = count;
    this.#seenAt[cell] = seconds;
    const lastDirection = this.#direction[cell] as number;
    const direction = this.#phases.directionOf(cell);
    this.#direction[cell] = direction;
    let hasChanged = isBack || (lastDirection >= 0 && this.#phases.isReplaced(cell, lastDirection, direction));
    for (let slot = cell * directionCount; slot < (cell + 1) * directionCount; slot++)
      if (this.#follow(slot, seconds)) hasChanged = true;
    return hasChanged;
  }

  /** Returns whether stripes changed their direction of motion or reversed their contrast. */
  #follow(slot: number, seconds: number): boolean {
    const step = this.#phases.stepOf(slot);
    if (step === null) return false;
    if (Math.abs(step) >= reversalMin) {
      this.#stillSince[slot] = seconds;
      return true;
    }
    const phase = (this.#phase[slot] as number) + step;
    this.#phase[slot] = phase;
    if (Math.abs(phase - (this.#anchor[slot] as number)) >= oscillationMin) {
      this.#anchor[slot] = phase;
      this.#stillSince[slot] = seconds;
    }
    return this.#hasTurned(slot, phase);
  }

  #hasTurned(slot: number, phase: number): boolean {
    const heading = this.#heading[slot] as number;
    const distance = phase - (this.#turnedAt[slot] as number);
    if (heading !== 0 && distance * heading > 0) {
      this.#turnedAt[slot] = phase;
      return false;
    }
    if (Math.abs(distance) < oscillationMin) return false;
    this.#heading[slot] = Math.sign(distance);
    this.#turnedAt[slot] = phase;
    return heading !== 0;
  }

  #forget(cell: number, seconds: number): void {
    const [from, to] = [cell * directionCount, (cell + 1) * directionCount];
    for (const values of [this.#phase, this.#turnedAt, this.#anchor, this.#heading]) values.fill(0, from, to);
    this.#stillSince.fill(seconds, from, to);
    this.#direction[cell] = -1;
  }

  #hasLightChanged(cell: number): boolean {
    const [luminance, lastLuminance, width] = [this.#luminance, this.#lastLuminance, this.#width];
    let sum = 0;
    let number = 0;
    const left = (cell % this.#grid.columns) * cellPixels;
    const top = Math.floor(cell / this.#grid.columns) * cellPixels;
    for (let y = top; y < Math.min(this.#height, top + cellPixels); y++)
      for (let x = left; x < Math.min(width, left + cellPixels); x++, number++)
        sum += Math.abs((luminance[y * width + x] as number) - (lastLuminance[y * width + x] as number));
    return sum >= flashStepMin * number;
  }
}
