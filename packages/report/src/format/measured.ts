import type { Check } from '@assay/sdk';
import { formatNumber } from './format.ts';

const quantities: Record<string, string> = {
  integratedLoudness: 'integrated loudness',
  shortTermLoudnessMax: 'highest short-term loudness',
  truePeak: 'true peak',
};

/** `audio track 1 (eng): integrated loudness −23.1 LUFS, true peak −1.4 dBTP`; null if nothing was measured. */
export function formatMeasured({ measured }: Pick<Check, 'measured'>): string | null {
  // Services of previous versions do not have this field.
  if (!measured || measured.length === 0) return null;
  return [...Map.groupBy(measured, ({ label }) => label)]
    .map(([label, values]) => `${label}: ${values.map(formatValue).join(', ')}`)
    .join('; ');
}

/** A newer service may measure further quantities. */
function formatValue({ quantity, value, unit }: NonNullable<Check['measured']>[number]): string {
  return `${quantities[quantity] ?? quantity} ${formatNumber(value, 1, 1)} ${unit}`;
}
