import type { Issue } from '@assay/sdk';
import { formatNumber } from './format.ts';
import { html, type Markup } from './html.ts';
import { type Row, type RowLine, renderScale, ticksOf } from './plot-row.ts';
import { extentOf, plotRowsFor, type Series } from './plot-rows.ts';
import type { ReportAsset } from './report.ts';
import { areaPath, linePath, pathHeight, type Scale } from './series-path.ts';
import { classOf } from './severity.ts';
import { placeOf, type TimeAxis } from './time-axis.ts';
import { spansOf } from './where.ts';

/** Every measurement of the asset as a row of its own, under the time axis that all share. */
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
    html`<span class="legend">${curves.map(({ label, className }) => swatch(label, className))}${words.map((word) => swatch(word, word))}</span>`;
  const spoken = [
    `${row.title} over time${row.unit ? `, in ${row.unit}` : ''}.`,
    ...curves.map(({ label, series: one }) => `${label}: ${describe(one, row)}.`),
    ...lines.map(({ word, shown }) => `${word} ${shown}.`),
  ].join(' ');
  return html`<div class="row">
<span class="name"><b>${row.title}</b>${row.unit && html` <i>${row.unit}</i>`}${legend}</span>
<svg class="track plot" height="${row.heightPx}" role="img" aria-label="${spoken}">${grid}${bandsOf(row, issues, axis)}
${ticksOf(row).map((tick) => rule(tick, row.scale, 'tick'))}${curves.map((curve) => renderCurve(curve.series, curve, row.scale, axis))}
${lines.map(({ value, className }) => rule(value, row.scale, className))}</svg>
${renderScale(row, lines, totalOf(row, curves[0]?.series))}</div>`;
}

function renderCurve(
  { values, stepMs }: Series,
  { kind, className }: Row['curves'][number],
  scale: Scale,
  axis: TimeAxis,
): Markup {
  const width = Number((axis.durationMs / stepMs).toFixed(3));
  const path = kind === 'line' ? linePath(values, scale) : areaPath(values, scale);
  // A line runs through the middle of its steps.
  const left = kind === 'line' ? -0.5 : 0;
  return html`<svg viewBox="${left} 0 ${width} ${pathHeight}" preserveAspectRatio="none"><path class="${className}" d="${path}"/></svg>`;
}

function swatch(label: string, className: string): Markup {
  return html`<span><svg class="swatch plot" viewBox="0 0 16 8" aria-hidden="true"><path class="${className}" d="M0 4h16"/></svg>${label}</span>`;
}

function rule(value: number, { min, max }: Scale, className: string): Markup {
  const y = Number((100 * (1 - (value - min) / (max - min))).toFixed(2));
  return html`<line class="${className}" x2="100%" y1="${y}%" y2="${y}%"/>`;
}

/** What an issue was held against, and for the loudness of the whole also what it is. */
function linesOf({ units, scale }: Row, issues: readonly Issue[]): RowLine[] {
  const lines = new Map<string, RowLine>();
  for (const { unit, limit, measured, ruleCode } of issues) {
    if (!unit || !units.includes(unit)) continue;
    if (limit !== null)
      lines.set(`limit ${limit}`, { value: limit, word: 'limit', shown: formatNumber(limit, 1), className: 'limit' });
    if (measured !== null && ruleCode.startsWith('LOUD-INTEGRATED')) {
      lines.set('overall', {
        value: measured,
        word: 'overall',
        shown: formatNumber(measured, 1),
        className: 'overall',
      });
    }
  }
  return [...lines.values()].filter(({ value }) => value >= scale.min && value <= scale.max);
}

function bandsOf({ bands }: Row, issues: readonly Issue[], axis: TimeAxis): Markup[] {
  return issues
    .filter(({ ruleCode }) => bands.test(ruleCode))
    .flatMap((issue) =>
      spansOf(issue, axis.durationMs).map((span) => {
        const { x, width } = placeOf(axis, span);
        return html`<rect class="band ${classOf(issue.severity)}" x="${x}%" width="${Math.max(width, 0.2)}%" height="100%"/>`;
      }),
    );
}

function describe(series: Series, row: Row): string {
  const { shownTimes = 1 } = row;
  const extent = extentOf(series);
  if (!extent) return 'nothing to measure';
  const total = totalOf(row, series);
  if (total) return `${total} in all`;
  return `from ${formatNumber(extent.min * shownTimes, 1)} to ${formatNumber(extent.max * shownTimes, 1)}`;
}

/** Of a row that has no scale: for how long it was so. */
function totalOf({ ticks }: Row, series: Series | undefined): string | undefined {
  if (ticks.length > 0 || !series) return undefined;
  const steps = series.values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  return steps > 0 ? `${formatNumber((steps * series.stepMs) / 1000, 1)} s` : 'none';
}
