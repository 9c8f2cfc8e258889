import { formatClock } from '../format/format.ts';
import { html, type Markup } from '../html.ts';
import type { ReportAsset } from '../report.ts';

/** A time axis. If it has a frame rate, times are also shown as timecodes. */
export type TimeAxis = {
  durationMs: number;
  frameRate: number | null | undefined;
  ticks: { ms: number; label: string }[];
};

const stepsMs = [
  10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000,
  1_800_000, 3_600_000, 7_200_000,
];
const ticksMax = 10;

export function createTimeAxis(durationMs: number, frameRate?: number | null): TimeAxis {
  const step = stepsMs.find((ms) => durationMs / ms <= ticksMax) ?? Math.ceil(durationMs / ticksMax);
  const decimals = step < 100 ? 2 : step < 1000 ? 1 : 0;
  const count = Math.floor(durationMs / step) + 1;
  const ticks = Array.from({ length: count }, (_, i) => ({ ms: i * step, label: formatClock(i * step, decimals) }));
  return { durationMs, frameRate, ticks };
}

/** The duration of the asset; undefined for images and documents. */
export function durationOf({ measurements, issues }: ReportAsset): number | undefined {
  const ends = [
    measurements?.durationMs ?? 0,
    ...issues.flatMap(({ locations }) => locations.map(({ startMs, endMs }) => endMs ?? startMs ?? 0)),
    ...(measurements?.series.map(({ stepMs, values }) => stepMs * values.length) ?? []),
  ];
  const longest = ends.reduce((a, b) => Math.max(a, b), 0);
  return measurements?.durationMs || longest || undefined;
}

/** The position of a time on the axis, in percent of the axis's width. */
export function percentOf({ durationMs }: TimeAxis, ms: number): number {
  return Number(Math.min(100, Math.max(0, (100 * ms) / durationMs)).toFixed(3));
}

/** The start (`x`) and `width` of a time span, in percent of the axis. */
export function positionOf(axis: TimeAxis, { startMs, endMs }: { startMs: number; endMs: number }) {
  const x = percentOf(axis, startMs);
  return { x, width: Number(Math.max(0, percentOf(axis, endMs) - x).toFixed(3)) };
}

/** Vertical lines at the ticks, drawn in every row so that values at the same time can be compared. */
export function renderGrid(axis: TimeAxis): Markup {
  return html`<g class="grid">${axis.ticks.map(({ ms }) => {
    const x = percentOf(axis, ms);
    return html`<line x1="${x}%" x2="${x}%" y2="100%"/>`;
  })}</g>`;
}

export function renderTicks(axis: TimeAxis): Markup {
  const labels = axis.ticks.map(({ ms, label }, i) => {
    const x = percentOf(axis, ms);
    const anchor = i === 0 ? 'start' : x > 96 ? 'end' : 'middle';
    return html`<text x="${x}%" y="12" text-anchor="${anchor}"${i % 2 ? html` class="odd"` : ''}>${label}</text>`;
  });
  return html`<svg class="track" height="18" aria-hidden="true">${labels}</svg>`;
}
