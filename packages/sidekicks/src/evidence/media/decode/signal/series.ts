import { seriesPointsMax } from '@assay/contract/limits.ts';

/** A value over time, in equal steps from the start of the file; a step without a value repeats the previous one. */
export type Series = { stepSeconds: number; values: number[] };

/** Includes its start and excludes its end. */
export type Range = { startSeconds: number; endSeconds: number };

export const rangesMax = 10_000;

/** Keeps at most 2,000 points, however long the file is: when the series is full, adjacent points are merged. */
export function createSeries({ stepSeconds, pool }: { stepSeconds: number; pool: 'max' | 'mean' }) {
  const values = new Float64Array(seriesPointsMax);
  const counts = new Uint32Array(seriesPointsMax);
  let step = stepSeconds;
  let length = 0;

  function merge(into: number, value: number, count: number): void {
    const known = counts[into] as number;
    const old = values[into] as number;
    if (known === 0) values[into] = value;
    else values[into] = pool === 'max' ? Math.max(old, value) : (old * known + value * count) / (known + count);
    counts[into] = known + count;
  }

  function halve(): void {
    for (let i = 0; i < seriesPointsMax; i++) {
      const [value, count] = [values[i] as number, counts[i] as number];
      counts[i] = 0;
      if (count > 0) merge(i >> 1, value, count);
    }
    step *= 2;
    length = Math.ceil(length / 2);
  }

  return {
    add(seconds: number, value: number): void {
      // The tolerance is needed because a sum of many steps may be slightly less than their product.
      let at = Math.max(0, Math.floor(seconds / step + 1e-6));
      while (at >= seriesPointsMax) {
        halve();
        at = Math.floor(seconds / step + 1e-6);
      }
      merge(at, value, 1);
      length = Math.max(length, at + 1);
    },

    end(): Series {
      const points: number[] = [];
      for (let i = 0; i < length; i++)
        points.push((counts[i] as number) > 0 ? (values[i] as number) : (points[i - 1] ?? 0));
      return { stepSeconds: step, values: points };
    },
  };
}

/**
 * Merges ranges closer than the gap and keeps those of at least the minimum length. Beyond 10,000 ranges, it only
 * counts them.
 */
export function createRanges({ secondsMin, gapSeconds = 0 }: { secondsMin: number; gapSeconds?: number }) {
  const ranges: Range[] = [];
  let open: Range | null = null;
  let omittedCount = 0;

  function settle(): void {
    if (!open || open.endSeconds - open.startSeconds < secondsMin - 1e-9) return;
    if (ranges.length < rangesMax) ranges.push(open);
    else omittedCount++;
  }

  return {
    add(startSeconds: number, endSeconds: number): void {
      if (open && startSeconds - open.endSeconds <= gapSeconds + 1e-9) {
        open.startSeconds = Math.min(open.startSeconds, startSeconds);
        open.endSeconds = Math.max(open.endSeconds, endSeconds);
        return;
      }
      settle();
      open = { startSeconds, endSeconds };
    },

    end(): { ranges: Range[]; omittedCount: number } {
      settle();
      open = null;
      return { ranges, omittedCount };
    },
  };
}
