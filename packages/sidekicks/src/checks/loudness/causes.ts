import type { Cause } from '#sidekick/sidekick.ts';

export const causes: readonly Cause[] = [
  // A lower gain solves all of them.
  {
    title: 'Audio level too high',
    ruleCodes: ['LOUD-INTEGRATED-HIGH', 'LOUD-SHORT-TERM', 'LOUD-TRUE-PEAK', 'QC-CLIPPING'],
    where: 'anywhere',
  },
];
