import type { Issue, Location } from '@assay/sdk';
import { formatShare, formatSpan } from './format.ts';

export type Span = { startMs: number; endMs: number };

/** Spans closer together than this share of the duration are drawn as one. */
const mergeShare = 0.001;

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

/** `0:12.40 to 0:15.00`, `page 3`, `“…”` */
export function formatLocation(location: Location): string {
  const { page, box, text } = location;
  const words = [
    ...spanOf(location).map(formatSpan),
    ...(page === undefined ? [] : [`page ${page}`]),
    ...(text ? [`“${text}”`] : []),
    ...(box ? [formatBox(box, wholeOf(location))] : []),
  ];
  return words.join(', ') || 'whole file';
}

function wholeOf({ startMs, page }: Location): string {
  if (page !== undefined) return 'page';
  return startMs === undefined ? 'image' : 'frame';
}

export function formatBox(box: NonNullable<Location['box']>, whole: string): string {
  const { x, y, width, height } = box;
  if (isNearlyAll(box)) return `the whole ${whole}`;
  return `${formatShare(width)} × ${formatShare(height)} of the ${whole}, ${formatShare(x)} from the left, ${formatShare(y)} from the top`;
}

export function isNearlyAll({ width, height }: NonNullable<Location['box']>): boolean {
  return width >= 0.98 && height >= 0.98;
}

function spanOf({ startMs, endMs }: Location): Span[] {
  return startMs === undefined ? [] : [{ startMs, endMs: Math.max(startMs, endMs ?? startMs) }];
}
