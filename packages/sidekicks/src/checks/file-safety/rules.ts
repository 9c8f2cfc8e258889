import { citeClause } from '#sidekick/cited-documents.ts';
import { type RuleRow, withoutPrecedents } from '#sidekick/rule-table.ts';

const pdfStandard = (clause: string) => citeClause('ISO 32000-1:2008', clause);
const cweStandard = (clause: string) => citeClause('CWE', clause);

const ruleRows = {
  'SAFE-TEST-SIGNATURE': ['CRITICAL', 'Antivirus software will report and remove this file.', null],
  'SAFE-EXECUTABLE': ['CRITICAL', 'The file is a program; opening it would run it.', cweStandard('CWE-434')],
  'SAFE-TYPE-MISMATCH': ['MAJOR', 'The content of the file does not match its name.', cweStandard('CWE-434')],
  'SAFE-TEXT-BINARY': ['MAJOR', 'Binary content in a text file cannot be shown or checked as text.', null],
  'SAFE-POLYGLOT': [
    'MAJOR',
    'The file can be opened as a second file type that was not checked.',
    cweStandard('CWE-434'),
  ],
  'SAFE-APPENDED-DATA': ['MINOR', 'No viewer shows the data after the image.', null],
  'SAFE-PDF-JAVASCRIPT': ['MAJOR', 'The document runs scripts on the reader’s device.', pdfStandard('12.6.4.16')],
  'SAFE-PDF-LAUNCH': ['CRITICAL', 'The document starts programs on the reader’s device.', pdfStandard('12.6.4.5')],
  'SAFE-PDF-AUTOMATIC-ACTION': ['MAJOR', 'The document runs actions without being asked to.', pdfStandard('12.6.3')],
  'SAFE-PDF-FORM-DATA': ['MINOR', 'The form sends or imports data when it is used.', pdfStandard('12.7.5')],
  'SAFE-PDF-EMBEDDED-FILE': ['MINOR', 'Attached files are passed on unchecked.', pdfStandard('7.11.4')],
  'SAFE-PDF-RICH-MEDIA': [
    'MINOR',
    'Embedded players carry content that is unchecked and not shown everywhere.',
    citeClause('ISO 32000-2:2020', '13.7'),
  ],
  'SAFE-PDF-XFA': ['MINOR', 'An XFA form can replace the pages that were checked.', pdfStandard('12.7.8')],
  'SAFE-PDF-BOMB': [
    'MAJOR',
    'Opening the document takes far more memory than its size suggests.',
    cweStandard('CWE-409'),
  ],
  'SAFE-OFFICE-MACRO': ['MAJOR', 'The document carries code that Office can run.', null],
  'SAFE-OFFICE-CONTROL': ['MINOR', 'ActiveX controls run code on the reader’s device.', null],
  'SAFE-OFFICE-EMBEDDED-OBJECT': ['MINOR', 'Embedded objects are passed on unchecked.', null],
  'SAFE-OFFICE-EXTERNAL': ['MAJOR', 'Opening the document loads external content and may run it.', null],
  'SAFE-ARCHIVE-BOMB': [
    'MAJOR',
    'Unpacking the file takes far more memory than its size suggests.',
    cweStandard('CWE-409'),
  ],
  'SAFE-ARCHIVE-STRUCTURE': ['MAJOR', 'Programs disagree on what this file contains.', null],
  'SAFE-ARCHIVE-PATH': ['MAJOR', 'Unpacking the file may write outside its folder.', cweStandard('CWE-22')],
  'SAFE-IMAGE-BOMB': [
    'MAJOR',
    'Decoding the image takes far more memory than its size suggests.',
    cweStandard('CWE-409'),
  ],
  'SAFE-IMAGE-INCOMPLETE': ['MAJOR', 'Part of the image is missing; viewers fill it with one colour.', null],
  'SAFE-NOT-VERIFIED': ['MAJOR', 'Part of the file could not be checked.', null],
} as const satisfies Record<string, RuleRow>;

export type RuleCode = keyof typeof ruleRows;

// No precedents are known for these rules.
export const rules = withoutPrecedents(ruleRows);
