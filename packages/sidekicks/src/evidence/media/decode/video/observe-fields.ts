import type { FieldVerdict, Observation } from '../signal/observer.ts';

export type FieldCounts = Record<FieldVerdict['verdict'], number>;

/** Counts the frames of each field order. */
export const observeFields: Observation<FieldCounts> = {
  taps: ['fields'],
  open: ({ video }) => {
    if (!video) return null;
    const counts: FieldCounts = { tff: 0, bff: 0, progressive: 0, undetermined: 0 };
    return { field: ({ verdict }) => counts[verdict]++, end: () => counts };
  },
};
