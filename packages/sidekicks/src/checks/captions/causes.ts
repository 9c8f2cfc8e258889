import type { Cause } from '#sidekick/sidekick.ts';

export const causes: readonly Cause[] = [
  // Both rules limit the reading speed, at different severities.
  { title: 'Captions too fast', ruleCodes: ['CAPT-FAST', 'CAPT-TOO-FAST'], where: 'near' },
  { title: 'Captions out of order', ruleCodes: ['CAPT-ORDER', 'CAPT-OVERLAP'], where: 'near' },
  // Captions after the end of the video and gaps elsewhere show that the captions were made for a different cut.
  { title: 'Captions of another version', ruleCodes: ['CAPT-GAP', 'CAPT-OUT-OF-RANGE'], where: 'anywhere' },
  // Players drop captions that they cannot parse, so the file can also count as empty.
  {
    title: 'Syntax of the caption file',
    ruleCodes: ['CAPT-EMPTY', 'CAPT-IRREGULAR', 'CAPT-MALFORMED'],
    where: 'anywhere',
  },
];
