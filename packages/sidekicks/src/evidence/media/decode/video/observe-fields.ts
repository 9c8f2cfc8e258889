import type { FieldVerdict, ObserverDefinition, VideoFormat } from '../signal/observer.ts';

export type FieldCounts = Record<FieldVerdict['verdict'], number>;

/** A video may have interlaced parts from this many frames on, and this share of all determined frames. */
const interlacedCountMin = 20;
const interlacedShareMin = 0.1;
/** One order must dominate: vertical motion in progressive frames looks like fields of alternating order. */
const orderRatioMin = 10;

/** Counts the frames of each field order. */
export const observeFields: ObserverDefinition<FieldCounts> = {
  taps: ['fields'],
  open: ({ video }) => {
    if (!video) return null;
    const counts: FieldCounts = { tff: 0, bff: 0, progressive: 0, undetermined: 0 };
    return { field: ({ verdict }) => counts[verdict]++, end: () => counts };
  },
};

/** The field order of a video that has fields but declares none; null for all others. */
export function hiddenFieldOrder(
  { tff, bff, progressive }: FieldCounts,
  declared: VideoFormat['fieldOrder'],
): 'tff' | 'bff' | null {
  if (declared === 'tff' || declared === 'bff') return null;
  const interlaced = tff + bff;
  if (interlaced < interlacedCountMin || interlaced < interlacedShareMin * (interlaced + progressive)) return null;
  if (tff >= orderRatioMin * bff) return 'tff';
  return bff >= orderRatioMin * tff ? 'bff' : null;
}
