import type { SeriesName } from '@assay/contract/schemas/series.ts';

/** How far two measurements of the same content may differ, by their unit. */
const measurementTolerances: Readonly<Record<string, number>> = {
  LUFS: 0.1, // EBU Tech 3341, and the README of the check Loudness
  dBTP: 0.4,
  dBFS: 0.1,
  s: 0.002, // the README of the check Video and audio quality; plus a frame where the frames differ
  'transitions/s': 0,
  'clipped runs': 0,
  'words/min': 0,
  '% of the frame': 1,
  '% of the audio': 1,
  '%': 1,
};

const ruleTolerances: Readonly<Record<string, number>> = {
  'PSE-EXTENDED': 0.1, // measured in steps of a tenth of a second
  'QC-LEVELS': 1.5, // the border of an area counts less, and has another share of a flatter frame
};

/** All below this is silence. */
export const floorOf = (unit: string) => (unit === 'dBFS' ? -90 : Number.NEGATIVE_INFINITY);

export function toleranceOf(ruleCode: string, unit: string): number {
  const tolerance = ruleTolerances[ruleCode] ?? measurementTolerances[unit];
  if (tolerance === undefined) throw new Error(`no tolerance for ${unit}`);
  return tolerance;
}

/** Locations that the audio is read at every tenth of a second for. */
export const coarseTimes: Readonly<Record<string, number>> = {
  'LOUD-INTEGRATED-HIGH': 100,
  'LOUD-SHORT-TERM': 100,
  'LOUD-TRUE-PEAK': 100,
};

/** Of the values of each series, in lossy audio too, and the value below which all are the same. */
type SeriesTolerance = { value: number; lossy: number; floor?: number };

export const seriesTolerances: Readonly<Record<SeriesName, SeriesTolerance>> = {
  loudnessMomentary: { value: 0.1, lossy: 0.2, floor: -70 },
  loudnessShortTerm: { value: 0.1, lossy: 0.2, floor: -70 },
  soundLevel: { value: 0.1, lossy: 1, floor: -90 },
  silence: { value: 0.05, lossy: 0.2 },
  luminance: { value: 0.02, lossy: 0.02 },
  flashes: { value: 1, lossy: 1 }, // a change at the threshold
};

/** Edges of a region, as shares of the frame: two pixels of the narrowest frame. */
export const boxTolerance = 0.0125;
/** Lossy audio is padded to whole frames. */
export const lossyTimeMs = 100;
/** Containers round times. */
export const timeToleranceMs = 2;
