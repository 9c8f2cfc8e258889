import type { FieldVerdict, Observation } from '../observer.ts';

export type FieldCounts = Record<FieldVerdict['verdict'], number>;

/** How many frames were said to be of which kind. */
export const observeFields: Observation<FieldCounts> = {
  taps: ['fields'],
  open: ({ picture }) => {
    if (!picture) return null;
    const counts: FieldCounts = { tff: 0, bff: 0, progressive: 0, undetermined: 0 };
    return { field: ({ verdict }) => counts[verdict]++, end: () => counts };
  },
};
