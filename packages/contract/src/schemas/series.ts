/** Maps the name of a series of values, measured over time, to the unit of the values. */
export const seriesUnits = {
  loudnessMomentary: 'LUFS',
  loudnessShortTerm: 'LUFS',
  soundLevel: 'dBFS',
  silence: 'share',
  luminance: 'share',
  flashes: 'transitions/s',
} as const;
export type SeriesName = keyof typeof seriesUnits;
