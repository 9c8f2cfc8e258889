import type { Measurements } from '@assay/sdk';
import { formatNumber } from '../format/format.ts';
import { html, type Markup } from '../html.ts';
import type { Scale } from './series-path.ts';

export type Row = {
  title: string;
  unit: string;
  /** The units of issues whose limits belong to this row. */
  units: string[];
  heightPx: number;
  scale: Scale;
  ticks: number[];
  /** Values are multiplied by this for display: 100 shows a share as percent. */
  displayFactor?: number;
  curves: { name: Measurements['series'][number]['name']; label: string; kind: 'line' | 'area'; className: string }[];
  /** The rules whose issues are shaded in this row. */
  bands: RegExp;
};

export type RowLine = { value: number; word: string; shown: string; className: string };

const labelHeightPx = 12;

/** The labels beside a plot: its lines and the ticks that fit between them, or the total of a plot without a scale. */
export function renderScale(row: Row, lines: RowLine[], total: string | undefined): Markup {
  const { heightPx, scale, displayFactor = 1 } = row;
  const yOf = (value: number) => heightPx * (1 - (value - scale.min) / (scale.max - scale.min));
  const placed = spreadLabels(
    lines.map((line) => ({ ...line, y: yOf(line.value) })),
    heightPx,
  );
  const free = ticksOf(row).filter((tick) => placed.every(({ y }) => Math.abs(y - yOf(tick)) >= labelHeightPx));
  return html`<svg class="scale" height="${heightPx}" aria-hidden="true">
${free.map((tick) => renderLabel(yOf(tick), '', formatNumber(tick * displayFactor, 0), '', heightPx))}
${total && renderLabel(heightPx / 2, '', total, '', heightPx)}
${placed.map(({ y, word, shown, className }) => renderLabel(y, `${word} `, shown, className, heightPx))}</svg>`;
}

export function ticksOf({ ticks, scale }: Row): number[] {
  return ticks.filter((tick) => tick >= scale.min && tick <= scale.max);
}

/** Sorts labels from top to bottom and moves them at least one line of text apart, with none below the baseline. */
function spreadLabels<Placed extends { y: number }>(labels: Placed[], heightPx: number): Placed[] {
  const sorted = labels.toSorted((a, b) => a.y - b.y);
  let top = Number.NEGATIVE_INFINITY;
  const down = sorted.map((one) => {
    top = Math.max(one.y, top + labelHeightPx);
    return { ...one, y: top };
  });
  const over = Math.max(0, top - heightPx);
  return down.map((one) => ({ ...one, y: one.y - over }));
}

function renderLabel(y: number, word: string, shown: string, className: string, heightPx: number): Markup {
  const baseline = Math.min(heightPx, Math.max(9, y + 4));
  return html`<text x="8" y="${Number(baseline.toFixed(1))}" class="${className}">${word && html`<tspan>${word}</tspan>`}${shown}</text>`;
}
