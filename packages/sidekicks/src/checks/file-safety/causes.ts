import type { Cause } from '#sidekick/sidekick.ts';

export const causes: readonly Cause[] = [
  // An automatic action starts the script or the program.
  {
    title: 'Active content',
    ruleCodes: ['SAFE-PDF-AUTOMATIC-ACTION', 'SAFE-PDF-JAVASCRIPT', 'SAFE-PDF-LAUNCH'],
    where: 'anywhere',
  },
  { title: 'Active content', ruleCodes: ['SAFE-OFFICE-CONTROL', 'SAFE-OFFICE-MACRO'], where: 'anywhere' },
  { title: 'Disguised file', ruleCodes: ['SAFE-EXECUTABLE', 'SAFE-TYPE-MISMATCH'], where: 'anywhere' },
  // The data after the image is the second file.
  { title: 'Second file inside', ruleCodes: ['SAFE-APPENDED-DATA', 'SAFE-POLYGLOT'], where: 'anywhere' },
];
