import type { Issue } from '@assay/sdk';
import { formatBytes, formatNumber } from './format.ts';

type Measurement = Pick<Issue, 'measured' | 'limit' | 'unit'>;
type Decimals = { min: number; max: number };

/** The number of decimals of each unit, in text, tables and plots alike. */
const decimalsByUnit: [RegExp, number][] = [
  [/^(LUFS|LKFS|LU|dB\w*)$/, 1],
  [/^%/, 1],
  [/^s$/, 2],
];
/** Values in other units, such as counts and frame rates, have as many decimals as they need, but at most two. */
const otherDecimals: Decimals = { min: 0, max: 2 };
/** As many decimals as are needed to tell apart any two values that a check treats differently. */
const decimalsMax = 6;

/** Formats a measured value and its limit so that the texts differ: `(reached)` follows a limit equal to the value. */
export function formatMeasurement(measurement: Measurement) {
  const { measured, limit, unit } = measurement;
  const decimals = decimalsOf(measurement);
  const value = measured === null ? null : formatQuantity(measured, unit, decimals);
  const bound = limit === null ? null : formatQuantity(limit, unit, decimals);
  return { measured: value, limit: bound !== null && bound === value ? `${bound} (reached)` : bound };
}

/** The decimals of a unit, or more if the measured value and its limit would otherwise look equal. */
export function decimalsOf({ measured, limit, unit }: Measurement): Decimals {
  let decimals = decimalsFor(unit);
  if (measured === null || limit === null || measured === limit) return decimals;
  const looksEqual = () => formatQuantity(measured, unit, decimals) === formatQuantity(limit, unit, decimals);
  while (looksEqual() && decimals.max < decimalsMax) decimals = { min: decimals.max + 1, max: decimals.max + 1 };
  return looksEqual() ? decimalsFor(unit) : decimals;
}

export function formatQuantity(value: number, unit: string | null, decimals = decimalsFor(unit)): string {
  if (unit === 'B') return decimals.max > otherDecimals.max ? `${formatNumber(value, 0)} B` : formatBytes(value);
  const number = formatValue(value, unit, decimals);
  if (!unit) return number;
  // The unit loses its plural s in `1 tag`, but not in `1.0 % of the pixels` or `1 transitions/s`.
  const shown = value === 1 && /^[a-z ]{3,}s$/.test(unit) ? unit.slice(0, -1) : unit;
  return `${number} ${shown}`;
}

/** The value without its unit, for labels beside a plot that names the unit. */
export function formatValue(value: number, unit: string | null, { min, max } = decimalsFor(unit)): string {
  return formatNumber(value, max, min);
}

function decimalsFor(unit: string | null): Decimals {
  const decimals = decimalsByUnit.find(([pattern]) => unit && pattern.test(unit))?.[1];
  return decimals === undefined ? otherDecimals : { min: decimals, max: decimals };
}
