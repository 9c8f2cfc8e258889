import type { Cause } from '#sidekick/sidekick.ts';

/** All metadata of a cause comes from one program or device, which has an option to omit it. */
export const causes: readonly Cause[] = [
  {
    title: 'Location in the metadata',
    ruleCodes: ['META-PLACE-NAME', 'META-POSITION', 'META-POSITION-COARSE'],
    where: 'anywhere',
  },
  {
    title: 'Device in the metadata',
    ruleCodes: ['META-MAKER-NOTES', 'META-SERIAL-NUMBER', 'META-UNIQUE-ID'],
    where: 'anywhere',
  },
  {
    title: 'People in the metadata',
    ruleCodes: ['META-COMPANY', 'META-CONTACT', 'META-EDITOR', 'META-PERSON-NAME'],
    where: 'anywhere',
  },
];
