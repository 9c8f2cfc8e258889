import { median, spreadPercent } from '@assay/testing/measure/statistics.ts';
import { formatTable } from '@assay/testing/measure/table.ts';
import type { Slice } from './slices.ts';

export type Ratio = { name: string; values: number[]; median: number; required: number };

/** Compares rates round by round, because a disturbance in a round affects both. */
export function compareRates(name: string, ours: Slice[], theirs: Slice[], required: number): Ratio {
  const values = ours.map((slice, i) => slice.requestsPerSecond / (theirs[i]?.requestsPerSecond ?? Number.NaN));
  return { name, values, median: median(values), required };
}

/** Compares the CPU time of all processes: how many of our requests cost as much as one of theirs. */
export function compareCpu(name: string, ours: Slice[], theirs: Slice[], required: number): Ratio {
  const cost = ({ cpuMicros: { wrk: _, ...processes } }: Slice) => Object.values(processes).reduce((a, b) => a + b, 0);
  const values = ours.map((slice, i) => cost(theirs[i] as Slice) / cost(slice));
  return { name, values, median: median(values), required };
}

export const isReached = (ratio: Ratio) => ratio.median >= ratio.required;

export function formatRatios(ratios: Ratio[], unit = 'req/s'): string {
  return formatTable(
    ratios.map((ratio) => ({
      [`ratio of ${unit}`]: ratio.name,
      median: ratio.median.toFixed(3),
      spread: `${spreadPercent(ratio.values).toFixed(0)} %`,
      required: ratio.required.toFixed(3),
      reached: isReached(ratio) ? 'yes' : 'no',
    })),
  );
}
