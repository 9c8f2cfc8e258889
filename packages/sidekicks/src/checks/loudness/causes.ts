import type { Cause } from '#sidekick/sidekick.ts';

export const causes: readonly Cause[] = [
  // Lowering the gain fixes all of these issues.
  {
    title: 'Audio level too high',
    ruleCodes: ['LOUD-INTEGRATED-HIGH', 'LOUD-SHORT-TERM', 'LOUD-TRUE-PEAK', 'QC-CLIPPING'],
    where: 'anywhere',
  },
];
