import type { Location } from '@assay/contract/issue.ts';

export type Span = { startMs: number; endMs: number };

/** The stretch of time that a location covers, if it has one; a single moment has no length. */
export function spanOf({ startMs, endMs }: Location): Span | undefined {
  return startMs === undefined ? undefined : { startMs, endMs: Math.max(startMs, endMs ?? startMs) };
}
