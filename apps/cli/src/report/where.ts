import type { Issue, Location } from '@assay/sdk';
import { formatShare, formatSpan } from './format.ts';

export type Span = { startMs: number; endMs: number };

/** Nearer to each other than this share of the whole, two marks are one to the eye. */
const togetherShare = 0.001;

/** When it is to be seen or heard, in order; what lies too close together to be told apart is one. */
export function spansOf({ locations }: Pick<Issue, 'locations'>, durationMs: number): Span[] {
  const spans: Span[] = [];
  for (const span of locations.flatMap(spanOf).toSorted((a, b) => a.startMs - b.startMs)) {
    const last = spans.at(-1);
    if (last && span.startMs - last.endMs <= durationMs * togetherShare) last.endMs = Math.max(last.endMs, span.endMs);
    else spans.push({ ...span });
  }
  return spans;
}

/** In words: `0:12.4 to 0:15`, `page 3`, `“…”`. */
export function formatLocation(location: Location): string {
  const { page, box, text } = location;
  const words = [
    ...spanOf(location).map(formatSpan),
    ...(page === undefined ? [] : [`page ${page}`]),
    ...(text ? [`“${text}”`] : []),
    ...(box ? [formatBox(box, page === undefined ? 'picture' : 'page')] : []),
  ];
  return words.join(', ') || 'the whole file';
}

export function formatBox(box: NonNullable<Location['box']>, whole = 'picture'): string {
  const { x, y, width, height } = box;
  if (isNearlyAll(box)) return `the whole ${whole}`;
  return `${formatShare(width)} × ${formatShare(height)} of the ${whole}, ${formatShare(x)} from the left and ${formatShare(y)} from the top`;
}

export function isNearlyAll({ width, height }: NonNullable<Location['box']>): boolean {
  return width >= 0.98 && height >= 0.98;
}

function spanOf({ startMs, endMs }: Location): Span[] {
  return startMs === undefined ? [] : [{ startMs, endMs: Math.max(startMs, endMs ?? startMs) }];
}
