const moment = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

const numbers = [0, 1, 2].map((decimals) => new Intl.NumberFormat('en-GB', { maximumFractionDigits: decimals }));

/** `15 Nov 2026, 21:28 UTC` */
export function formatMoment(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : `${moment.format(date)} UTC`;
}

/** `1:02:03.5`, `0:12`: with as many decimals of a second as asked for, without zeros behind them. */
export function formatClock(ms: number, decimals = 2): string {
  const unit = 10 ** decimals;
  const total = Math.round((ms / 1000) * unit);
  const [hours, minutes] = [Math.floor(total / 3600 / unit), Math.floor(total / 60 / unit) % 60];
  const fraction = String(total % unit)
    .padStart(decimals, '0')
    .replace(/0+$/, '');
  const seconds = String(Math.floor(total / unit) % 60).padStart(2, '0');
  const whole = hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${seconds}` : `${minutes}:${seconds}`;
  return decimals > 0 && fraction ? `${whole}.${fraction}` : whole;
}

export function formatSpan({ startMs, endMs }: { startMs: number; endMs: number }): string {
  const [start, end] = [formatClock(startMs), formatClock(endMs)];
  return start === end ? start : `${start} to ${end}`;
}

/** With a true minus sign and at most so many decimals. */
export function formatNumber(value: number, decimals: 0 | 1 | 2 = 2): string {
  return (numbers[decimals]?.format(value) ?? String(value)).replace('-', '−');
}

export function formatQuantity(value: number, unit: string | null): string {
  if (unit === 'B') return formatBytes(value);
  if (!unit) return formatNumber(value);
  // `1 tag`, but `1 % of the pixels` and `1 transitions/s`.
  const shown = value === 1 && /^[a-z ]{3,}s$/.test(unit) ? unit.slice(0, -1) : unit;
  return `${formatNumber(value)} ${shown}`;
}

export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${formatNumber(value, value < 10 && power > 0 ? 1 : 0)} ${units[power]}`;
}

export function formatShare(share: number): string {
  return `${formatNumber(100 * share, 0)} %`;
}

export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count, 0)} ${count === 1 ? one : many}`;
}

/** `a`, `a and b`, `a, b and c` */
export function formatList(words: string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
