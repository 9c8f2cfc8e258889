import type { Standard } from '@assay/contract/issue.ts';
import { type RuleRow, withoutPrecedents } from '../../rule-table.ts';

/** What personal data are, and that there should be no more of them than needed. */
const personalData: Standard = { name: 'Regulation (EU) 2016/679 (GDPR)', clause: 'Articles 4(1) and 5(1)(c)' };

const rows = {
  'META-POSITION': ['MAJOR', 'The file tells to within a house or a street where it was made.', personalData],
  'META-POSITION-COARSE': ['INFO', 'The file tells roughly where it was made.', null],
  'META-PLACE-NAME': ['INFO', 'The file names the place where it was made or what it shows.', null],
  'META-PERSON-NAME': ['MINOR', 'The file names a person whom nobody sees named.', personalData],
  'META-EDITOR': ['MINOR', 'The file names who worked on it.', personalData],
  'META-CONTACT': ['MINOR', 'The file carries an address or a number of a person.', personalData],
  'META-COMPANY': ['MINOR', 'The file names the company in whose office it was made.', null],
  'META-SERIAL-NUMBER': ['MINOR', 'A serial number ties the file to one device and so to its owner.', null],
  'META-UNIQUE-ID': ['INFO', 'An identifier lets others tell which files belong together.', null],
  'META-MAKER-NOTES': ['INFO', 'Notes of the camera hold more than is documented.', null],
  'META-FILE-PATH': ['MINOR', 'A path on somebody’s disk gives away names of people, machines or projects.', null],
  'META-THUMBNAIL': ['MAJOR', 'The thumbnail may still show what was cut out of the picture or covered.', null],
  'META-NOT-VERIFIED': ['INFO', 'Some of what the file says of itself could not be read.', null],
} as const satisfies Record<string, RuleRow>;

export type RuleCode = keyof typeof rows;

// No ruling is known in this family.
export const rules = withoutPrecedents(rows);
