import type { Issue } from '@assay/sdk';
import { spansOf } from '../format/location.ts';
import { decimalsOf, formatQuantity, formatValue } from '../format/measurement.ts';
import { html, type Markup } from '../html.ts';
import type { ReportAsset } from '../report.ts';
import { classOf } from '../severity.ts';
import { type Row, type RowLine, renderScale, ticksOf } from './plot-row.ts';
import { extentOf, plotRowsFor, type Series } from './plot-rows.ts';
import { areaPath, linePath, pathHeight, type Scale } from './series-path.ts';
import { positionOf, type TimeAxis } from './time-axis.ts';

/** One row per measurement, on a shared time axis. */
export function renderPlots(asset: ReportAsset, axis: TimeAxis, grid: Markup): Markup[] {
  const series = new Map(asset.measurements?.series.map((one) => [one.name, one]));
  return plotRowsFor(series).flatMap((row) =>
    row.curves.some(({ name }) => series.has(name)) ? [renderRow(row, series, asset.issues, axis, grid)] : [],
  );
}

function renderRow(
  row: Row,
  series: Map<Series['name'], Series>,
  issues: readonly Issue[],
  axis: TimeAxis,
  grid: Markup,
): Markup {
  const curves = row.curves.flatMap((curve) => {
    const values = series.get(curve.name);
    return values ? [{ ...curve, series: values }] : [];
  });
  const lines = linesOf(row, issues);
  const words = [...new Set(lines.map(({ className }) => className))];
  const legend =
    curves.length > 1 &&
    html`<span class="legend">${curves.map(({ label, className }) => renderSwatch(label, className))}${words.map((word) => renderSwatch(word, word))}</span>`;
  const spoken = [
    `${row.title} over time${row.unit ? `, in ${row.unit}` : ''}.`,
    ...curves.map(({ label, series: one }) => `${label}: ${describeSeries(one, row)}.`),
    ...lines.map(({ word, shown }) => `${word} ${shown}.`),
  ].join(' ');
  return html`<div class="row">
<span class="name"><b>${row.title}</b>${row.unit && html` <i>${row.unit}</i>`}${legend}</span>
<svg class="track plot" height="${row.heightPx}" role="img" aria-label="${spoken}">${grid}${bandsOf(row, issues, axis)}
${ticksOf(row).map((tick) => renderLine(tick, row.scale, 'tick'))}${curves.map((curve) => renderCurve(curve.series, curve, row.scale, axis))}
${lines.map(({ value, className }) => renderLine(value, row.scale, className))}</svg>
${renderScale(row, lines, formatTotal(row, curves[0]?.series))}</div>`;
}

function renderCurve(
  { values, stepMs }: Series,
  { kind, className }: Row['curves'][number],
  scale: Scale,
  axis: TimeAxis,
): Markup {
  const width = Number((axis.durationMs / stepMs).toFixed(3));
  const path = kind === 'line' ? linePath(values, scale) : areaPath(values, scale);
  // The points of a line are in the middle of each step.
  const left = kind === 'line' ? -0.5 : 0;
  return html`<svg viewBox="${left} 0 ${width} ${pathHeight}" preserveAspectRatio="none"><path class="${className}" d="${path}"/></svg>`;
}

function renderSwatch(label: string, className: string): Markup {
  return html`<span><svg class="swatch plot" viewBox="0 0 16 8" aria-hidden="true"><path class="${className}" d="M0 4h16"/></svg>${label}</span>`;
}

function renderLine(value: number, { min, max }: Scale, className: string): Markup {
  const y = Number((100 * (1 - (value - min) / (max - min))).toFixed(2));
  return html`<line class="${className}" x2="100%" y1="${y}%" y2="${y}%"/>`;
}

/** A line for each limit of the issues, and one for the measured integrated loudness. */
function linesOf({ units, scale }: Row, issues: readonly Issue[]): RowLine[] {
  const lines = new Map<string, RowLine>();
  for (const issue of issues) {
    const { unit, limit, measured, ruleCode } = issue;
    if (!unit || !units.includes(unit)) continue;
    const decimals = decimalsOf(issue);
    const line = (word: 'limit' | 'overall', value: number) => ({
      value,
      word,
      shown: formatValue(value, unit, decimals),
      className: word,
    });
    if (limit !== null) lines.set(`limit ${limit}`, line('limit', limit));
    if (measured !== null && ruleCode.startsWith('LOUD-INTEGRATED')) lines.set('overall', line('overall', measured));
  }
  return [...lines.values()].filter(({ value }) => value >= scale.min && value <= scale.max);
}

function bandsOf({ bands }: Row, issues: readonly Issue[], axis: TimeAxis): Markup[] {
  return issues
    .filter(({ ruleCode }) => bands.test(ruleCode))
    .flatMap((issue) =>
      spansOf(issue, axis.durationMs).map((span) => {
        const { x, width } = positionOf(axis, span);
        return html`<rect class="band ${classOf(issue.severity)}" x="${x}%" width="${Math.max(width, 0.2)}%" height="100%"/>`;
      }),
    );
}

function describeSeries(series: Series, row: Row): string {
  const { displayFactor = 1, unit } = row;
  const extent = extentOf(series);
  if (!extent) return 'no data';
  const total = formatTotal(row, series);
  if (total) return `${total} in total`;
  return `from ${formatValue(extent.min * displayFactor, unit)} to ${formatValue(extent.max * displayFactor, unit)}`;
}

/** The total duration, for a row without ticks; undefined for others. */
function formatTotal({ ticks }: Row, series: Series | undefined): string | undefined {
  if (ticks.length > 0 || !series) return undefined;
  const steps = series.values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  return steps > 0 ? formatQuantity((steps * series.stepMs) / 1000, 's') : 'none';
}
