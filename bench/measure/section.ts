import { formatRatios, type Ratio } from './ratio.ts';
import { footnote, formatForeignCpu } from './report.ts';
import type { Slice } from './slices.ts';

/** A section of a bench's report: what was measured and how, the figures, and the required ratio. */
export type Section = { title: string; what: string; table: string; slices: Slice[]; ratio?: Ratio };

/** Heading, noise, required and reached ratios, then each section. */
export function formatReport(head: string, sections: Section[], ratios: Ratio[]): string {
  const noise = formatForeignCpu(sections.flatMap(({ slices }) => slices));
  return [`${head}\n${noise}`, formatRatios(ratios, 'rates'), ...sections.map(formatSection), footnote].join('\n\n');
}

function formatSection({ title, what, table }: Section): string {
  return [`## ${title}`, what, table].join('\n\n');
}
