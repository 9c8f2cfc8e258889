import { makeOfficeFile, type Part } from '@assay/testing/media/make-office.ts';
import { makePdf, type PdfParts, passwordTrailer, streamObject } from '@assay/testing/media/make-pdf.ts';
import type { RuleCode } from '../rules.ts';
import { fileOfBytes, person, type Recipe, windowsPath } from './recipe.ts';

type OfficeKind = 'docx' | 'xlsx' | 'pptx';

const namespaces =
  'xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes"';

/** A package part in which Office stores document properties. */
export function officeProperties(part: 'core' | 'app' | 'custom', elements: string): Part {
  return {
    name: `docProps/${part}.xml`,
    data: `<?xml version="1.0"?><Properties ${namespaces}>${elements}</Properties>`,
  };
}

/** A PDF with this information dictionary as its fourth object. */
export function pdfWithInfo(info: string, more: PdfParts = {}): Buffer {
  return makePdf({
    ...more,
    objects: [`<< ${info} >>`, ...(more.objects ?? [])],
    trailer: `/Info 4 0 R ${more.trailer ?? ''}`,
  });
}

/** Documents whose metadata reveals more than they show. `photo` has a position in its EXIF block. */
export function leakyDocuments(photo: Uint8Array): Recipe[] {
  const office = (kind: OfficeKind, label: string, parts: Part[], ...expected: RuleCode[]) =>
    fileOfBytes(`a.${kind}`, label, makeOfficeFile(kind, parts), ...expected);
  const pdf = (label: string, from: Uint8Array, ...expected: RuleCode[]) =>
    fileOfBytes('a.pdf', label, from, ...expected);
  const creator = officeProperties('core', `<dc:creator>${person}</dc:creator>`);
  const editor = officeProperties('core', `<cp:lastModifiedBy>${person}</cp:lastModifiedBy>`);
  const image = '/Type /XObject /Subtype /Image /Width 176 /Height 144 /ColorSpace /DeviceRGB /BitsPerComponent 8';
  return [
    office('docx', 'author', [creator], 'META-PERSON-NAME'),
    office('docx', 'last saved by', [editor], 'META-EDITOR'),
    office('docx', 'company', [officeProperties('app', '<Company>Acme &amp; Sons</Company>')], 'META-COMPANY'),
    office('docx', 'manager', [officeProperties('app', `<Manager>${person}</Manager>`)], 'META-EDITOR'),
    office(
      'docx',
      'template on a local disk',
      [officeProperties('app', `<Template>${windowsPath}</Template>`)],
      'META-FILE-PATH',
    ),
    office('docx', 'encrypted properties', [{ ...creator, isEncrypted: true }], 'META-NOT-VERIFIED'),
    office('docx', 'uncompressed properties', [{ ...creator, isStored: true }], 'META-PERSON-NAME'),
    office(
      'xlsx',
      'author and last saved by',
      [officeProperties('core', `<dc:creator>${person}</dc:creator><cp:lastModifiedBy>${person}</cp:lastModifiedBy>`)],
      'META-PERSON-NAME',
      'META-EDITOR',
    ),
    office('xlsx', 'company', [officeProperties('app', '<Company>Acme</Company>')], 'META-COMPANY'),
    office('pptx', 'last saved by', [editor], 'META-EDITOR'),
    office(
      'pptx',
      'a custom property with a path',
      [officeProperties('custom', `<property pid="2" name="Source"><vt:lpwstr>${windowsPath}</vt:lpwstr></property>`)],
      'META-FILE-PATH',
    ),
    office(
      'docx',
      'a photograph with a position',
      [{ name: 'word/media/image1.jpeg', data: Buffer.from(photo) }],
      'META-POSITION',
    ),
    office(
      'pptx',
      'an uncompressed photograph with a position',
      [{ name: 'ppt/media/image1.jpg', data: Buffer.from(photo), isStored: true }],
      'META-POSITION',
    ),
    pdf('author', pdfWithInfo(`/Author (${person})`), 'META-PERSON-NAME'),
    pdf('author in UTF-16', pdfWithInfo('/Author <FEFF0041006E006E>'), 'META-PERSON-NAME'),
    pdf('company', pdfWithInfo('/Company (Acme)'), 'META-COMPANY'),
    pdf('title that is a path', pdfWithInfo('/Title (C:\\\\Users\\\\ann\\\\Desktop\\\\secret.docx)'), 'META-FILE-PATH'),
    {
      ...pdf('creator in XMP', makePdf(), 'META-PERSON-NAME'),
      exiftool: [`-XMP-dc:Creator=${person}`],
    },
    {
      ...pdf('identifier in XMP', makePdf(), 'META-UNIQUE-ID'),
      exiftool: ['-XMP-xmpMM:DocumentID=uuid:0a1b2c3d-4e5f'],
    },
    pdf(
      'a photograph with a position',
      makePdf({ objects: [streamObject(`${image} /Filter /DCTDecode`, Buffer.from(photo))] }),
      'META-POSITION',
    ),
    pdf(
      'encrypted with a password',
      pdfWithInfo('/Author (x)', {
        trailer: passwordTrailer,
      }),
      'META-NOT-VERIFIED',
    ),
  ];
}
