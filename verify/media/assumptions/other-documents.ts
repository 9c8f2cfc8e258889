import { makeArchive, makeOfficeFile, relationships } from '@assay/testing/media/make-office.ts';
import { makePdf } from '@assay/testing/media/make-pdf.ts';
import type { Assumption } from './assumption.ts';
import { utf16 } from './sources.ts';

const check = 'file-safety';

const script = '<< /S /JavaScript /JS (app.alert(1)) >>';
const runsScript = { 'SAFE-PDF-JAVASCRIPT': {}, 'SAFE-PDF-AUTOMATIC-ACTION': {} };

const pdfs: Assumption[] = [
  {
    promise: 'finds a script that a later revision of a PDF adds',
    check,
    filename: 'a.pdf',
    make: () =>
      Buffer.concat([
        makePdf(),
        Buffer.from(
          `1 0 obj\n<< /Type /Catalog /Pages 2 0 R /OpenAction ${script} >>\nendobj\ntrailer\n<< /Root 1 0 R /Size 9 >>\nstartxref\n0\n%%EOF\n`,
        ),
      ]),
    issues: runsScript,
  },
  {
    promise: 'finds a script that a later revision of a PDF takes away, because readers can go back',
    check,
    filename: 'a.pdf',
    make: () =>
      Buffer.concat([
        makePdf({ catalog: `/OpenAction ${script}` }),
        Buffer.from(
          '1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\ntrailer\n<< /Root 1 0 R /Size 9 >>\nstartxref\n0\n%%EOF\n',
        ),
      ]),
    issues: runsScript,
  },
  {
    promise: 'finds a script in a PDF with several versions of its header and a comment between its tokens',
    check,
    filename: 'a.pdf',
    make: () =>
      makePdf({
        header: '%PDF-2.0\n%PDF-1.3\n',
        catalog: '/OpenAction % nothing\r<</S%a\n/JavaScript/JS%b\n(app.alert(1))>>',
      }),
    issues: runsScript,
  },
];

const texts: Assumption[] = [
  {
    promise: 'finds a web page in a text of UTF-16',
    check,
    filename: 'a.txt',
    make: () => utf16('<html><script>alert(1)</script></html>\n'),
    issues: { 'SAFE-POLYGLOT': {} },
  },
  {
    promise: 'finds a web page behind a comment',
    check,
    filename: 'a.txt',
    make: () => Buffer.from('<!-- a note -->\n<html><script>alert(1)</script></html>\n'),
    issues: { 'SAFE-POLYGLOT': {} },
  },
  {
    promise: 'reports RTF under the name of a text',
    check,
    filename: 'a.txt',
    make: () => Buffer.from('{\\rtf1\\ansi Hello\\par}\n'),
    issues: { 'SAFE-TYPE-MISMATCH': {} },
  },
];

const core = `<?xml version="1.0"?><cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:creator>Ann Miller</dc:creator></cp:coreProperties>`;
const coreType = 'http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties';
const corePart = (target: string) => `<Relationship Id="c" Type="${coreType}" Target="${target}"/></Relationships>`;

const metadata: Assumption[] = [
  {
    promise: 'reads the author of a document that .NET wrote, whose properties have another name',
    check: 'metadata-privacy',
    filename: 'a.docx',
    make: () => withCore('package/services/metadata/core-properties/1.psmdcp'),
    issues: { 'META-PERSON-NAME': {} },
  },
  {
    promise: 'reads the author of a document whose properties are wherever its relationships say',
    check: 'metadata-privacy',
    filename: 'a.docx',
    make: () => withCore('word/x.xml'),
    issues: { 'META-PERSON-NAME': {} },
  },
  {
    promise: 'reads the author of a document in UTF-16',
    check: 'metadata-privacy',
    filename: 'a.docx',
    make: () => makeOfficeFile('docx', [{ name: 'docProps/core.xml', data: utf16(core) }]),
    issues: { 'META-PERSON-NAME': {} },
  },
];

/** A document whose properties are in this part, as its relationships say. */
function withCore(name: string): Buffer {
  const main = 'word/document.xml';
  const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
  return makeArchive([
    {
      name: '[Content_Types].xml',
      data: `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/${main}" ContentType="${type}"/></Types>`,
    },
    {
      name: '_rels/.rels',
      data: relationships([['officeDocument', main, false]]).replace('</Relationships>', corePart(`/${name}`)),
    },
    { name: main, data: '<?xml version="1.0"?><document/>' },
    { name, data: core },
  ]);
}

export const otherDocuments: Assumption[] = [...pdfs, ...texts, ...metadata];
