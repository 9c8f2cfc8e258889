import { formatRatios, type Ratio } from './ratio.ts';
import { formatForeignCpu, sliceFootnote } from './report.ts';
import type { Slice } from './slices.ts';

/** A section of a bench's report: what was measured and how, the figures, and the required ratio. */
export type ReportSection = { title: string; what: string; table: string; slices: Slice[]; ratio?: Ratio };

/** Heading, noise, required and reached ratios, then each section. */
export function formatReport(head: string, sections: ReportSection[], ratios: Ratio[]): string {
  const noise = formatForeignCpu(sections.flatMap(({ slices }) => slices));
  return [`${head}\n${noise}`, formatRatios(ratios, 'rates'), ...sections.map(formatSection), sliceFootnote].join(
    '\n\n',
  );
}

function formatSection({ title, what, table }: ReportSection): string {
  return [`## ${title}`, what, table].join('\n\n');
}
