import type { FoundPattern } from './find-pattern.ts';
import { patternSecondsMin } from './patterns.ts';

const cellPixels = 16;
const directionCount = 4;
/** Fewer pixels of a cell do not show how its stripes move; below a quarter of a cell, stripes may have vanished. */
const votesMin = 24;
const flashingPixelsMin = (cellPixels * cellPixels) / 4;
const agreementMin = 0.4;
/** As phase, where a period is 2π: an oscillation counts from 1/6 of a period on; about half a period is a reversal. */
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
/** Stripes are stationary if they do not move for 0.5 s. Their start may be found this late, between two searches. */
export const lateSecondsMax = 0.14;
const stillSeconds = patternSecondsMin - lateSecondsMax;

/** The number of pixels in stripes, by motion. Stripes that drift in one direction are neither changing nor still. */
type MotionAreas = { present: number; changing: number; still: number };

/**
 * Tracks stripes from frame to frame in cells of 16 × 16 pixels. Their phase relative to the last frame is the distance
 * that they moved, as a fraction of their period.
 */
export function createMotion(luminance: Float32Array, width: number, height: number) {
  const columns = Math.ceil(width / cellPixels);
  const cells = columns * Math.ceil(height / cellPixels);
  const cellOf = Int32Array.from(
    { length: width * height },
    (_, at) => Math.floor(Math.floor(at / width) / cellPixels) * columns + Math.floor((at % width) / cellPixels),
  );
  const pixels = width * height;
  const lastSigns = new Int8Array(pixels);
  const lastLuminance = new Float32Array(pixels);

  // By cell and direction: agreement of signs with the last frame, how far stripes moved, since when they are still.
  const inPhase = new Float32Array(cells * directionCount);
  const inQuadrature = new Float32Array(cells * directionCount);
  const votes = new Int32Array(cells * directionCount);
  const lastVotes = new Int32Array(cells * directionCount);
  const periods = new Float32Array(cells * directionCount);
  const phase = new Float32Array(cells * directionCount);
  const turnedAt = new Float32Array(cells * directionCount);
  const heading = new Int8Array(cells * directionCount);
  const anchor = new Float32Array(cells * directionCount);
  const stillSince = new Float64Array(cells * directionCount);

  // By cell.
  const count = new Int32Array(cells);
  const area = new Int32Array(cells);
  const seenAt = new Float64Array(cells).fill(Number.NEGATIVE_INFINITY);
  const hasVanished = new Uint8Array(cells);
  const best = new Int8Array(cells).fill(-1);
  const changedAt = new Float64Array(cells).fill(Number.NEGATIVE_INFINITY);
  const changedBefore = new Float64Array(cells).fill(Number.NEGATIVE_INFINITY);

  function compare({ runs, signs }: FoundPattern): void {
    inPhase.fill(0);
    inQuadrature.fill(0);
    lastVotes.set(votes);
    votes.fill(0);
    periods.fill(0);
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
  }

  /** The sum over a cell and its neighbours: the motion of wide stripes is not visible in a single cell. */
  function around(sums: Float32Array | Int32Array, slot: number): number {
    const cell = Math.floor(slot / directionCount);
    const column = cell % columns;
    let sum = 0;
    for (let y = -columns; y <= columns; y += columns)
      for (let x = column > 0 ? -1 : 0; x <= (column < columns - 1 ? 1 : 0); x++)
        sum += sums[slot + (y + x) * directionCount] ?? 0;
    return sum;
  }

  /** Returns whether stripes changed their direction of motion or reversed their contrast. */
  function follow(slot: number, seconds: number): boolean {
    if ((votes[slot] as number) < votesMin) return false;
    const [same, moved] = [around(inPhase, slot), around(inQuadrature, slot)];
    const agreement = Math.abs(same) + Math.abs(moved);
    if (agreement < agreementMin * around(votes, slot)) return false;
    // Signs are square waves, so their agreement falls linearly from 1 to −1 over half a period.
    const step = (Math.sign(moved) || 1) * (1 - same / agreement) * (Math.PI / 2);
    if (Math.abs(step) >= reversalMin) {
      stillSince[slot] = seconds;
      return true;
    }
    const now = (phase[slot] as number) + step;
    phase[slot] = now;
    if (Math.abs(now - (anchor[slot] as number)) >= oscillationMin) {
      anchor[slot] = now;
      stillSince[slot] = seconds;
    }
    const way = heading[slot] as number;
    const turn = turnedAt[slot] as number;
    if (way === 0) {
      if (Math.abs(now - turn) < oscillationMin) return false;
      heading[slot] = now > turn ? 1 : -1;
      turnedAt[slot] = now;
      return false;
    }
    if ((now - turn) * way > 0) turnedAt[slot] = now;
    else if (Math.abs(now - turn) >= oscillationMin) {
      heading[slot] = -way;
      turnedAt[slot] = now;
      return true;
    }
    return false;
  }

  function forget(cell: number, seconds: number): void {
    for (let slot = cell * directionCount; slot < (cell + 1) * directionCount; slot++) {
      phase[slot] = 0;
      turnedAt[slot] = 0;
      anchor[slot] = 0;
      heading[slot] = 0;
      stillSince[slot] = seconds;
    }
    best[cell] = -1;
    hasVanished[cell] = 0;
  }

  /** The direction closest to the perpendicular of a cell's stripes, which is the one in which they are narrowest. */
  function bestOf(cell: number): number {
    const slots = votes.subarray(cell * directionCount, (cell + 1) * directionCount);
    const enough = Math.max(...slots) / 2;
    let found = 0;
    let narrowest = Number.POSITIVE_INFINITY;
    for (const [direction, number] of slots.entries()) {
      const period = (periods[cell * directionCount + direction] as number) / number;
      if (number < enough || period >= narrowest) continue;
      found = direction;
      narrowest = period;
    }
    return found;
  }

  /** Whether the stripes of a cell were replaced by stripes of another direction. */
  function isTurned(cell: number, direction: number): boolean {
    const before = best[cell] as number;
    if (before < 0 || before === direction) return false;
    const old = cell * directionCount + before;
    const slot = cell * directionCount + direction;
    return (lastVotes[old] as number) >= votesMin && (votes[old] as number) < (votes[slot] as number) / 4;
  }

  function hasLightChanged(cell: number): boolean {
    let sum = 0;
    let number = 0;
    const left = (cell % columns) * cellPixels;
    const top = Math.floor(cell / columns) * cellPixels;
    for (let y = top; y < Math.min(height, top + cellPixels); y++)
      for (let x = left; x < Math.min(width, left + cellPixels); x++, number++)
        sum += Math.abs((luminance[y * width + x] as number) - (lastLuminance[y * width + x] as number));
    return sum >= flashStepMin * number;
  }

  function update(cell: number, seconds: number): boolean {
    const wasPresent = seconds - (seenAt[cell] as number) <= presentSeconds;
    const number = count[cell] as number;
    if (number < flashingPixelsMin && (area[cell] as number) >= flashingPixelsMin && wasPresent) {
      if (hasVanished[cell] || !hasLightChanged(cell)) return false;
      hasVanished[cell] = 1;
      return true;
    }
    if (number === 0) return false;
    const isBack = hasVanished[cell] === 1 && seconds - (seenAt[cell] as number) <= changeWindowSeconds;
    if (!wasPresent && !isBack) forget(cell, seconds);
    hasVanished[cell] = 0;
    area[cell] = number;
    seenAt[cell] = seconds;
    const direction = bestOf(cell);
    const hasTurned = isTurned(cell, direction);
    best[cell] = direction;
    let hasChanged = isBack || hasTurned;
    for (let slot = cell * directionCount; slot < (cell + 1) * directionCount; slot++)
      if (follow(slot, seconds)) hasChanged = true;
    return hasChanged;
  }

  return {
    /** Processes the next frame, also one without a pattern, in which earlier stripes may have vanished. */
    take(seconds: number, pattern: FoundPattern): void {
      compare(pattern);
      count.fill(0);
      for (let at = 0; at < pixels; at++)
        if (pattern.signs[at]) count[cellOf[at] as number] = (count[cellOf[at] as number] as number) + 1;
      for (let cell = 0; cell < cells; cell++) {
        if (!update(cell, seconds)) continue;
        changedBefore[cell] = changedAt[cell] as number;
        changedAt[cell] = seconds;
      }
      lastSigns.set(pattern.signs);
      lastLuminance.set(luminance);
    },

    areas(seconds: number): MotionAreas {
      const areas = { present: 0, changing: 0, still: 0 };
      for (let cell = 0; cell < cells; cell++) {
        if (seconds - (seenAt[cell] as number) > presentSeconds) continue;
        const size = area[cell] as number;
        areas.present += size;
        const slot = cell * directionCount + (best[cell] as number);
        const isSeen = seconds - (seenAt[cell] as number) <= lostSeconds;
        if (seconds - (changedBefore[cell] as number) <= changeWindowSeconds) areas.changing += size;
        else if (isSeen && (seenAt[cell] as number) - (stillSince[slot] as number) >= stillSeconds) areas.still += size;
      }
      return areas;
    },
  };
}
