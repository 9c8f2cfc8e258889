const dateTimeFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** Indexed by maximum, then minimum number of decimals. Created once, because creating a formatter is slow. */
const numberFormats = Array.from({ length: 7 }, (_, max) =>
  Array.from({ length: max + 1 }, (_, min) => {
    const decimals = { minimumFractionDigits: min, maximumFractionDigits: max };
    return new Intl.NumberFormat('en-GB', { ...decimals, signDisplay: 'negative' }); // no −0
  }),
);

/** `15 Nov 2026, 21:28 UTC` */
export function formatDateTime(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : `${dateTimeFormat.format(date)} UTC`;
}

/** `1:02:03.50`, `0:12.00`; with 0 decimals `0:12`. */
export function formatClock(ms: number, decimals = 2): string {
  const unit = 10 ** decimals;
  const total = Math.round((ms / 1000) * unit);
  const [hours, minutes] = [Math.floor(total / 3600 / unit), Math.floor(total / 60 / unit) % 60];
  const seconds = String(Math.floor(total / unit) % 60).padStart(2, '0');
  const whole = hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${seconds}` : `${minutes}:${seconds}`;
  return decimals > 0 ? `${whole}.${String(total % unit).padStart(decimals, '0')}` : whole;
}

export function formatSpan({ startMs, endMs }: { startMs: number; endMs: number }): string {
  const [start, end] = [formatClock(startMs), formatClock(endMs)];
  return start === end ? start : `${start} to ${end}`;
}

/** A number with at most 6 decimals, and with a minus sign instead of a hyphen. */
export function formatNumber(value: number, decimalsMax: number, decimalsMin = 0): string {
  return (numberFormats[decimalsMax]?.[decimalsMin]?.format(value) ?? String(value)).replace('-', '−');
}

export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${formatNumber(value, value < 10 && power > 0 ? 1 : 0)} ${units[power]}`;
}

/** A share as a whole percentage, for confidence and regions, which are estimates. Measured shares have one decimal. */
export function formatShare(share: number): string {
  return `${formatNumber(100 * share, 0)} %`;
}

export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count, 0)} ${count === 1 ? one : many}`;
}

/** The revision of a delivery profile: `our-podcasts, revision 2` */
export function formatRevision({ name, revision }: { name: string; revision: number }): string {
  return `${name}, revision ${revision}`;
}

/** `a`, `a and b`, `a, b and c` */
export function formatList(words: string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
