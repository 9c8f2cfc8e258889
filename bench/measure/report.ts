import { describeMachine } from '@assay/testing/measure/machine.ts';
import { median, spreadPercent } from '@assay/testing/measure/statistics.ts';
import { formatTable } from '@assay/testing/measure/table.ts';
import type { Slice } from './slices.ts';

export type ReportHead = { title: string; command: string; settings: string; versions: Record<string, string> };

export const sliceFootnote =
  'Medians; ratios are computed per round. Spread is from minimum to maximum, in percent of the median.';

/** What was run, and where, in Markdown that is readable in a terminal too. */
export function formatHead({ title, command, settings, versions }: ReportHead): string {
  const parts = Object.entries(versions).map((entry) => entry.join(' '));
  return [
    `# ${title}`,
    '',
    `\`${command}\`, ${new Date().toISOString().slice(0, 10)}: ${settings}.`,
    `Machine: ${describeMachine()}. ${parts.join(', ')}.`,
  ].join('\n');
}

/** How much CPU other programs used meanwhile. */
export function formatForeignCpu(slices: Slice[]): string {
  const foreign = slices.map((slice) => slice.foreignShare * 100);
  return `Other programs used ${median(foreign).toFixed(0)} % of the CPU meanwhile (median of the slices; maximum ${Math.max(...foreign).toFixed(0)} %).`;
}

/** A row per target: its rate, and the CPU time of one unit in each process. */
export function formatSlices(slices: Map<{ name: string }, Slice[]>, unit = 'req'): string {
  return formatTable([...slices].map(([target, own]) => ({ target: target.name, ...sliceCells(own, unit) })));
}

function sliceCells(slices: Slice[], unit: string): Record<string, string> {
  const rates = slices.map((slice) => slice.requestsPerSecond);
  const processes = Object.keys(slices[0]?.cpuMicros ?? {});
  const costs = processes.map((name) => {
    const micros = slices.map((slice) => slice.cpuMicros[name] ?? Number.NaN);
    return [`${name} CPU µs/${unit}`, median(micros).toFixed(0)];
  });
  return {
    [`${unit}/s`]: median(rates).toFixed(0),
    spread: `${spreadPercent(rates).toFixed(0)} %`,
    ...Object.fromEntries(costs),
  };
}
