import type { MeasuredValue } from '@assay/contract/schemas/coverage.ts';
import type { Loudness } from '#evidence/media/decode/audio/observe-loudness.ts';
import { toMeasurement } from '#sidekick/format-values.ts';

/** What results show of an audio programme, whether or not its loudness is an issue. */
export function measuredValues(loudness: Loudness, label: string, scale: string): MeasuredValue[] {
  const { integratedLufs, maxShortTerm, truePeakDb } = loudness;
  const rows = [
    ['integratedLoudness', integratedLufs, scale],
    ['shortTermLoudnessMax', maxShortTerm?.lufs ?? null, scale],
    ['truePeak', truePeakDb, 'dBTP'],
  ] as const;
  return rows.flatMap(([quantity, value, unit]) =>
    value === null || !Number.isFinite(value) ? [] : [{ quantity, label, value: toMeasurement(value), unit }],
  );
}
