import type { Cause } from '#sidekick/sidekick.ts';

export const causes: readonly Cause[] = [
  // Nothing was recorded, so video and audio stop at the same time.
  { title: 'Interruption', ruleCodes: ['QC-BLACK', 'QC-FREEZE', 'QC-SILENCE'], where: 'together' },
  // Loudness cannot be measured if all of the audio is silent.
  { title: 'Silent audio', ruleCodes: ['LOUD-NOT-MEASURED', 'QC-SILENCE'], where: 'anywhere' },
  // Flashes in frames that cannot be decoded are not checked, and one of the streams ends early.
  {
    title: 'Incomplete or damaged file',
    ruleCodes: ['PSE-NOT-VERIFIED', 'QC-AV-LENGTH', 'QC-TRUNCATED'],
    where: 'anywhere',
  },
];
