import { describePlaces } from '@assay/contract/place-words.ts';
import { formatTimecode } from '@assay/contract/timecode.ts';
import type { Issue, Location } from '@assay/sdk';
import { formatClock, formatNumber, formatShare, formatSpan } from './format.ts';

export type Span = { startMs: number; endMs: number };

/** Spans closer together than this share of the duration are drawn as one. */
const mergeShare = 0.001;
export const locationsInTextMax = 10;

/** The time spans of an issue in order; spans that would look like one are merged. */
export function spansOf({ locations }: Pick<Issue, 'locations'>, durationMs: number): Span[] {
  const spans: Span[] = [];
  for (const span of locations.flatMap(spanOf).toSorted((a, b) => a.startMs - b.startMs)) {
    const last = spans.at(-1);
    if (last && span.startMs - last.endMs <= durationMs * mergeShare) last.endMs = Math.max(last.endMs, span.endMs);
    else spans.push({ ...span });
  }
  return spans;
}

/** `0:12.40 to 0:15.00`, `page 3`, `“…”`; with a frame rate, timecodes follow the times. */
export function formatLocation(location: Location, frameRate?: number | null): string {
  const { page, box, text } = location;
  const words = [
    ...spanOf(location).map((span) => formatSpanWithTimecode(span, frameRate)),
    ...(page === undefined ? [] : [`page ${page}`]),
    ...(text ? [`“${text}”`] : []),
    ...(box ? [formatBox(box, wholeOf(location))] : []),
  ];
  return words.join(', ') || 'whole file';
}

/** `0:12.40 to 0:15.00 (00:00:12:10 to 00:00:15:00)` */
export function formatSpanWithTimecode(span: Span, frameRate: number | null | undefined): string {
  if (!frameRate) return formatSpan(span);
  const start = formatTimecode(span.startMs / 1000, frameRate);
  const end = formatTimecode(span.endMs / 1000, frameRate);
  return `${formatSpan(span)} (${start === end ? start : `${start} to ${end}`})`;
}

/** `0:12.40 (00:00:12:10)` */
export function formatTimeWithTimecode(ms: number, frameRate: number | null | undefined): string {
  return frameRate ? `${formatClock(ms)} (${formatTimecode(ms / 1000, frameRate)})` : formatClock(ms);
}

/** For text that cannot be collapsed: the first locations, and how many more there are. */
export function formatLocations(locations: readonly Location[], frameRate?: number | null): string {
  if (locations.length === 0) return 'whole file';
  const shown = locations.slice(0, locationsInTextMax).map((location) => formatLocation(location, frameRate));
  const rest = locations.length - shown.length;
  return `${shown.join('; ')}${rest > 0 ? `; and ${formatNumber(rest, 0)} more` : ''}`;
}

function wholeOf({ startMs, page }: Location): string {
  if (page !== undefined) return 'page';
  return startMs === undefined ? 'image' : 'frame';
}

/** `the top left of the frame (18 % × 24 % of it)` */
export function formatBox(box: NonNullable<Location['box']>, whole: string): string {
  if (isNearlyWholeImage(box)) return `the whole ${whole}`;
  return `${describePlaces([box], whole)} (${formatShare(box.width)} × ${formatShare(box.height)} of it)`;
}

export function isNearlyWholeImage({ width, height }: NonNullable<Location['box']>): boolean {
  return width >= 0.98 && height >= 0.98;
}

function spanOf({ startMs, endMs }: Location): Span[] {
  return startMs === undefined ? [] : [{ startMs, endMs: Math.max(startMs, endMs ?? startMs) }];
}
