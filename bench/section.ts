import { formatRatios, type Ratio } from './ratio.ts';
import { footnote, formatForeign } from './report.ts';
import type { Slice } from './slices.ts';

/** A part of a bench's outcome: what was measured how, the figures, and what is asked of them. */
export type Section = { title: string; what: string; table: string; slices: Slice[]; ratio?: Ratio };

/** Head, noise, what was asked and reached, then each section. */
export function formatReport(head: string, sections: Section[], ratios: Ratio[]): string {
  const noise = formatForeign(sections.flatMap(({ slices }) => slices));
  return [`${head}\n${noise}`, formatRatios(ratios, 'rates'), ...sections.map(formatSection), footnote].join('\n\n');
}

function formatSection({ title, what, table }: Section): string {
  return [`## ${title}`, what, table].join('\n\n');
}
