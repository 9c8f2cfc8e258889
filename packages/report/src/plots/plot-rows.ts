import type { Measurements } from '@assay/sdk';
import type { Row } from './plot-row.ts';
import type { Scale } from './series-path.ts';

export type Series = Measurements['series'][number];

/** The plot rows from top to bottom. The scales of loudness and flashes fit the measured values. */
export function plotRowsFor(series: Map<Series['name'], Series>): Row[] {
  const highest = (one: Series | undefined, least: number, step: number) =>
    Math.max(least, Math.ceil((extentOf(one)?.max ?? least) / step) * step);
  const loudness = series.get('loudnessMomentary') ?? series.get('loudnessShortTerm');
  const flashesMax = highest(series.get('flashes'), 8, 4);
  return [
    {
      title: 'Loudness',
      unit: 'LUFS',
      units: ['LUFS', 'LKFS'],
      heightPx: 136,
      scale: { min: scaleMinOf(loudness), max: Math.min(5, highest(loudness, -5, 5)) },
      ticks: [0, -10, -20, -30, -40, -50],
      curves: [
        { name: 'loudnessMomentary', label: 'momentary', kind: 'line', className: 'thin' },
        { name: 'loudnessShortTerm', label: 'short-term', kind: 'line', className: 'thick' },
      ],
      bands: /^LOUD-/,
    },
    {
      title: 'Audio level',
      unit: 'dBFS',
      units: ['dBFS'],
      heightPx: 40,
      scale: { min: -80, max: 0 },
      ticks: [0, -40],
      curves: [{ name: 'soundLevel', label: 'level', kind: 'area', className: 'fill' }],
      bands: /^QC-(CLIPPING|PHASE)/,
    },
    {
      title: 'Silence',
      unit: '',
      units: [],
      heightPx: 16,
      scale: { min: 0, max: 1 },
      ticks: [],
      curves: [{ name: 'silence', label: 'silent', kind: 'area', className: 'solid' }],
      bands: /^QC-SILENCE/,
    },
    {
      title: 'Brightness',
      unit: '%',
      units: [],
      heightPx: 48,
      scale: { min: 0, max: 1 },
      ticks: [1, 0.5],
      displayFactor: 100,
      curves: [{ name: 'luminance', label: 'average brightness of the frame', kind: 'area', className: 'fill' }],
      bands: /^(PSE-|QC-BLACK)/,
    },
    {
      title: 'Flashes',
      unit: 'transitions/s',
      units: ['transitions/s'],
      heightPx: 48,
      scale: { min: 0, max: flashesMax },
      ticks: [flashesMax],
      curves: [{ name: 'flashes', label: 'transitions', kind: 'area', className: 'solid' }],
      bands: /^PSE-/,
    },
  ];
}

/** The lower end of the loudness scale ignores the quietest 5 %, so that pauses do not flatten the plot. */
function scaleMinOf(series: Series | undefined): number {
  const values = (series?.values ?? []).filter((value) => value !== null).toSorted((a, b) => a - b);
  const low = values[Math.floor(values.length / 20)] ?? -35;
  return Math.max(-60, Math.min(-35, Math.floor((low - 3) / 5) * 5));
}

export function extentOf(series: Series | undefined): Scale | undefined {
  let extent: Scale | undefined;
  for (const value of series?.values ?? []) {
    if (value === null) continue;
    extent = { min: Math.min(extent?.min ?? value, value), max: Math.max(extent?.max ?? value, value) };
  }
  return extent;
}
