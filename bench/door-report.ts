import { describeMachine } from './machine.ts';
import type { Slice, Target } from './slices.ts';
import { median, spreadPercent } from './statistics.ts';
import { formatTable } from './table.ts';

export type Ratio = { name: string; values: number[]; median: number; required: number };

export type DoorOutcome = {
  command: string;
  settings: string;
  versions: Record<string, string>;
  slices: Map<Target, Slice[]>;
  ratios: Ratio[];
};

/** Markdown that is read in a terminal as well. */
export function describeDoor({ command, settings, versions, slices, ratios }: DoorOutcome): string {
  const all = [...slices.values()].flat();
  const foreign = all.map((slice) => slice.foreignShare * 100);
  return [
    '# What the door costs',
    '',
    `\`${command}\`, ${new Date().toISOString().slice(0, 10)}: ${settings}, in turns.`,
    `Machine: ${describeMachine()}. ${Object.entries(versions)
      .map((entry) => entry.join(' '))
      .join(', ')}.`,
    `Other programs took ${median(foreign).toFixed(0)} % of the machine meanwhile (median of the slices; at most ${Math.max(...foreign).toFixed(0)} %).`,
    '',
    formatTable([...slices].map(([target, own]) => targetRow(target, own))),
    '',
    formatTable(ratios.map(ratioRow)),
    '',
    'Medians; a ratio is taken round by round. Spread is from the least to the most, in percent of the median.',
  ].join('\n');
}

function targetRow(target: Target, slices: Slice[]): Record<string, string> {
  const rates = slices.map((slice) => slice.requestsPerSecond);
  const processes = Object.keys(slices[0]?.cpuMicros ?? {});
  const costs = processes.map((name) => {
    const micros = slices.map((slice) => slice.cpuMicros[name] ?? Number.NaN);
    return [`${name} CPU µs/req`, median(micros).toFixed(0)];
  });
  return {
    target: target.name,
    'req/s': median(rates).toFixed(0),
    spread: `${spreadPercent(rates).toFixed(0)} %`,
    ...Object.fromEntries(costs),
  };
}

function ratioRow({ name, values, median: value, required }: Ratio): Record<string, string> {
  return {
    'ratio of req/s': name,
    median: value.toFixed(3),
    spread: `${spreadPercent(values).toFixed(0)} %`,
    required: required.toFixed(3),
    reached: value >= required ? 'yes' : 'no',
  };
}
