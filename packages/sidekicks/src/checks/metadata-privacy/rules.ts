import { citeClause } from '#sidekick/cited-documents.ts';
import { type RuleRow, withoutPrecedents } from '#sidekick/rule-table.ts';

/** Definition of personal data, and data minimisation. */
const personalData = citeClause('Regulation (EU) 2016/679 (GDPR)', 'Articles 4(1) and 5(1)(c)');

const ruleRows = {
  'META-POSITION': [
    'MAJOR',
    'Precise coordinates reveal the building or street where the file was made.',
    personalData,
  ],
  'META-POSITION-COARSE': ['INFO', 'Coordinates reveal roughly where the file was made.', null],
  'META-PLACE-NAME': ['INFO', 'A place name reveals where the file was made or what it shows.', null],
  'META-PERSON-NAME': ['MINOR', 'The metadata contains the name of a person.', personalData],
  'META-EDITOR': ['MINOR', 'The metadata names who worked on the file.', personalData],
  'META-CONTACT': ['MINOR', 'The metadata contains contact details of a person.', personalData],
  'META-COMPANY': ['MINOR', 'The metadata names the company where the file was made.', null],
  'META-SERIAL-NUMBER': ['MINOR', 'A serial number links the file to one device and its owner.', null],
  'META-UNIQUE-ID': ['INFO', 'An identifier can link this file to other files from the same device or person.', null],
  'META-MAKER-NOTES': ['INFO', 'Maker notes can contain undocumented data.', null],
  'META-FILE-PATH': ['MINOR', 'A file path reveals names of people, machines or projects.', null],
  'META-THUMBNAIL': ['MAJOR', 'The thumbnail may show what was cropped or covered in the image.', null],
  'META-NOT-VERIFIED': ['MAJOR', 'Part of the metadata could not be checked.', null],
} as const satisfies Record<string, RuleRow>;

export type RuleCode = keyof typeof ruleRows;

// No precedents are known for these rules.
export const rules = withoutPrecedents(ruleRows);
