import type { Location } from '@assay/contract/schemas/issue.ts';

export type Span = { startMs: number; endMs: number };

/** The time span of a location, if it has one; a point in time has no length. */
export function spanOf({ startMs, endMs }: Location): Span | undefined {
  return startMs === undefined ? undefined : { startMs, endMs: Math.max(startMs, endMs ?? startMs) };
}
