import type { Standard } from '@assay/contract/issue.ts';
import { type RuleRow, withoutPrecedents } from '../../rule-table.ts';

const pdf = (clause: string): Standard => ({ name: 'ISO 32000-1:2008', clause });
const cwe = (clause: string): Standard => ({ name: 'CWE', clause });

const rows = {
  'SAFE-TEST-SIGNATURE': ['CRITICAL', 'Virus scanners will report and remove this file.', null],
  'SAFE-EXECUTABLE': ['CRITICAL', 'The file is a program, and opening it would run it.', cwe('CWE-434')],
  'SAFE-TYPE-MISMATCH': ['MAJOR', 'The file is something other than what its name says.', cwe('CWE-434')],
  'SAFE-TEXT-BINARY': ['MAJOR', 'A text that holds something else cannot be shown or checked as text.', null],
  'SAFE-POLYGLOT': [
    'MAJOR',
    'The file can be opened as a second kind of file that nobody has checked.',
    cwe('CWE-434'),
  ],
  'SAFE-APPENDED-DATA': ['MINOR', 'Data hang behind the picture that no viewer shows.', null],
  'SAFE-PDF-JAVASCRIPT': ['MAJOR', 'The document runs scripts on the reader’s machine.', pdf('12.6.4.16')],
  'SAFE-PDF-LAUNCH': ['CRITICAL', 'The document starts programs on the reader’s machine.', pdf('12.6.4.5')],
  'SAFE-PDF-AUTOMATIC-ACTION': ['MAJOR', 'The document acts without being asked to.', pdf('12.6.3')],
  'SAFE-PDF-FORM-DATA': ['MINOR', 'The form sends out or fetches data when it is used.', pdf('12.7.5')],
  'SAFE-PDF-EMBEDDED-FILE': ['MINOR', 'Attached files are passed on without having been checked.', pdf('7.11.4')],
  'SAFE-PDF-RICH-MEDIA': [
    'MINOR',
    'Embedded players carry content that is neither shown everywhere nor checked.',
    { name: 'ISO 32000-2:2020', clause: '13.7' },
  ],
  'SAFE-PDF-XFA': ['MINOR', 'An XFA form can replace the pages that were checked by others.', pdf('12.7.8')],
  'SAFE-PDF-BOMB': ['MAJOR', 'Opening the document takes far more memory than its size suggests.', cwe('CWE-409')],
  'SAFE-OFFICE-MACRO': ['MAJOR', 'The document carries code that Office can run.', null],
  'SAFE-OFFICE-CONTROL': ['MINOR', 'ActiveX controls run code of the reader’s machine.', null],
  'SAFE-OFFICE-EMBEDDED-OBJECT': ['MINOR', 'Embedded objects are passed on without having been checked.', null],
  'SAFE-OFFICE-EXTERNAL': ['MAJOR', 'Opening the document fetches content from elsewhere and may run it.', null],
  'SAFE-ARCHIVE-BOMB': ['MAJOR', 'Unpacking the file takes far more memory than its size suggests.', cwe('CWE-409')],
  'SAFE-ARCHIVE-STRUCTURE': ['MAJOR', 'Programs disagree about what this file contains.', null],
  'SAFE-ARCHIVE-PATH': ['MAJOR', 'Unpacking the file may write outside its folder.', cwe('CWE-22')],
  'SAFE-IMAGE-BOMB': ['MAJOR', 'Showing the picture takes far more memory than its size suggests.', cwe('CWE-409')],
  'SAFE-NOT-VERIFIED': ['INFO', 'A part of the file could not be looked into.', null],
} as const satisfies Record<string, RuleRow>;

export type RuleCode = keyof typeof rows;

// No ruling is known in this family.
export const rules = withoutPrecedents(rows);
