/**
 * Number formats for issue texts: one rounding per kind of value, in every check. Each function takes the limit that
 * the value was compared with, so that a value beyond its limit is never shown as equal to it.
 */

const decimalsMax = 6;
const measurementDecimals = 3;
const bytesPerStep = 1024;
const byteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** LUFS, LU, dB, dBFS and dBTP: `−23.0` */
export function formatLevel(value: number, limit?: number): string {
  return formatDecimals(value, 1, limit);
}

/** A gain or an overshoot: `+1.3`, `−5.0` */
export function formatSignedLevel(value: number, limit?: number): string {
  const level = formatLevel(value, limit);
  return /[1-9]/.test(level) && value > 0 ? `+${level}` : level;
}

/** `2.48 s` */
export function formatSeconds(seconds: number, limit?: number): string {
  return `${formatDecimals(seconds, 2, limit)} s`;
}

/** A share of 0 to 1: `12.5 %` */
export function formatPercent(share: number, limit?: number): string {
  return `${formatDecimals(100 * share, 1, limit === undefined ? undefined : 100 * limit)} %`;
}

/** `64.0 KiB` */
export function formatBytes(bytes: number, limit?: number): string {
  const power = bytes < 1 ? 0 : Math.min(byteUnits.length - 1, Math.floor(Math.log(bytes) / Math.log(bytesPerStep)));
  const step = bytesPerStep ** power;
  const decimals = power === 0 ? 0 : 1;
  return `${formatDecimals(bytes / step, decimals, limit === undefined ? undefined : limit / step)} ${byteUnits[power]}`;
}

/** `1 tag`, `3 tags` */
export function formatCount(number: number, one: string, many = `${one}s`): string {
  return `${formatInteger(number)} ${number === 1 ? one : many}`;
}

/** `20,000` */
export function formatInteger(number: number): string {
  return number.toLocaleString('en-GB');
}

/** 75.324 s → `1:15.32`; one hour or more: `1:02:15.32` */
export function formatClock(seconds: number): string {
  const hundredths = Math.max(0, Math.round(seconds * 100));
  const minutes = Math.floor(hundredths / 6000);
  const rest = ((hundredths % 6000) / 100).toFixed(2).padStart(5, '0');
  const hours = Math.floor(minutes / 60);
  return hours > 0 ? `${hours}:${String(minutes % 60).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}

/** Writes minus as U+2212, and zero without minus. Adds decimals if rounding would hide that the limit is exceeded. */
export function formatDecimals(value: number, decimals: number, limit?: number): string {
  let shown = decimals;
  if (limit !== undefined && value !== limit) {
    while (shown < decimalsMax && value.toFixed(shown) === limit.toFixed(shown)) shown++;
  }
  return value
    .toFixed(shown)
    .replace(/^-(?=[0.]+$)/, '')
    .replace('-', '−');
}

/** Rounds a measurement for JSON: more decimals than any text shows, without floating-point noise. */
export function toMeasurement(value: number): number {
  return Number(value.toFixed(measurementDecimals));
}

/** Converts a time to the unit of locations in JSON. */
export function toMilliseconds(seconds: number): number {
  return Math.max(0, Math.round(seconds * 1000));
}
