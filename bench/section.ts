import type { Ratio } from './ratio.ts';
import type { Slice } from './slices.ts';

/** A part of a bench's outcome: what was measured how, the figures, and what is asked of them. */
export type Section = { title: string; what: string; table: string; slices: Slice[]; ratio?: Ratio };

export function formatSection({ title, what, table }: Section): string {
  return [`## ${title}`, what, table].join('\n\n');
}
