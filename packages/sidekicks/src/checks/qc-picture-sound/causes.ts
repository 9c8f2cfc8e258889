import type { Cause } from '#sidekick/sidekick.ts';

export const causes: readonly Cause[] = [
  // Nothing was recorded, so video and audio stop at the same time.
  { title: 'Interruption', ruleCodes: ['QC-BLACK', 'QC-FREEZE', 'QC-SILENCE'], where: 'together' },
  // Loudness cannot be measured if all of the audio is silent.
  { title: 'Silent audio', ruleCodes: ['LOUD-NOT-MEASURED', 'QC-SILENCE'], where: 'anywhere' },
  { title: 'No video', ruleCodes: ['QC-NO-VIDEO', 'SPEC-VIDEO-TRACKS'], where: 'anywhere' },
  { title: 'No audio', ruleCodes: ['QC-NO-AUDIO', 'SPEC-AUDIO-TRACKS'], where: 'anywhere' },
  // Before the damage, because a track that is left out is not examined either.
  { title: 'Not examined', ruleCodes: ['PSE-NOT-VERIFIED', 'QC-NOT-VERIFIED', 'SPEC-NOT-VERIFIED'], where: 'anywhere' },
  // Flashes in frames that cannot be decoded are not checked, and one of the streams ends early.
  {
    title: 'Incomplete or damaged file',
    ruleCodes: ['PSE-NOT-VERIFIED', 'QC-AV-LENGTH', 'QC-NOT-VERIFIED', 'QC-TRUNCATED'],
    where: 'anywhere',
  },
];
