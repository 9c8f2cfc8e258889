import type { Cause } from '#sidekick/sidekick.ts';

export const causes: readonly Cause[] = [
  { title: 'Flashing', ruleCodes: ['PSE-EXTENDED', 'PSE-LUMINANCE', 'PSE-RED'], where: 'near' },
];
