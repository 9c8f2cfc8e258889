import { deflateSync } from 'node:zlib';
import { makePdf, objectStream, streamObject } from '@assay/testing/media/make-pdf.ts';
import { patchBytes } from '#evidence/file/samples/make-image.ts';
import type { RuleCode } from '../rules.ts';
import type { HostileFile } from './hostile-file.ts';

const scriptAction = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>';
const bombData = Buffer.alloc(40 * 1024 * 1024, 0x20);

/** PDFs with every known variant of active content. */
export function hostilePdfs(): HostileFile[] {
  const pdf = (label: string, bytes: Buffer, ...expected: RuleCode[]): HostileFile => [label, 'a.pdf', bytes, expected];
  const js: RuleCode = 'SAFE-PDF-JAVASCRIPT';
  return [
    pdf('a script', makePdf({ objects: [scriptAction] }), js),
    pdf('a script on opening', makePdf({ catalog: `/OpenAction ${scriptAction}` }), js, 'SAFE-PDF-AUTOMATIC-ACTION'),
    pdf('a script on closing', makePdf({ catalog: `/AA << /WC ${scriptAction} >>` }), js, 'SAFE-PDF-AUTOMATIC-ACTION'),
    pdf('a script with escaped names', makePdf({ objects: ['<< /#53 /J#61v#61Script /#4aS (x) >>'] }), js),
    pdf('a script without spaces', makePdf({ objects: ['<</S/JavaScript/JS(x)>>'] }), js),
    pdf(
      'a script whose type is an indirect object',
      makePdf({ objects: ['<< /S 5 0 R /JS (x) >>', '/JavaScript'] }),
      js,
    ),
    pdf('a script in an object stream', makePdf({ packed: ['<< /A 1 >>', scriptAction] }), js),
    pdf('a script after an open bracket in an object stream', makePdf({ packed: ['((( ', scriptAction] }), js),
    pdf('a script after an open bracket', makePdf({ objects: ['((( ', scriptAction] }), js),
    pdf('a script inside a comment', makePdf({ objects: [`<< >> % 9 0 obj ${scriptAction}`] }), js),
    pdf(
      'a script inside another stream',
      makePdf({ objects: [streamObject('', Buffer.from(`xx\n9 0 obj ${scriptAction} endobj`))] }),
      js,
    ),
    pdf('a script in an unclosed dictionary', makePdf({ objects: ['<< /S /JavaScript /JS (x) '] }), js),
    pdf(
      'a script in hexadecimal encoding',
      makePdf({
        objects: [
          objectStream([scriptAction], '/Filter [/ASCIIHexDecode /FlateDecode]', (plain) =>
            Buffer.from(`${deflateSync(plain).toString('hex')}>`),
          ),
        ],
      }),
      js,
    ),
    pdf(
      'a script with a wrong checksum',
      makePdf({
        objects: [
          objectStream([scriptAction], '/Filter /FlateDecode', (plain) =>
            patchBytes(deflateSync(plain), deflateSync(plain).length - 1, [0]),
          ),
        ],
      }),
      js,
    ),
    pdf(
      'a script whose filter is an indirect object',
      makePdf({ objects: [objectStream([scriptAction], '/Filter 9 0 R')] }),
      js,
    ),
    pdf('a script in a rendition action', makePdf({ objects: ['<< /S /Rendition /JS (x) >>'] }), js),
    pdf(
      'a deeply nested script',
      makePdf({ objects: [`${'<< /A '.repeat(300)}${scriptAction}${' >>'.repeat(300)}`] }),
      js,
      'SAFE-NOT-VERIFIED',
    ),
    pdf('a launch action', makePdf({ objects: ['<< /S /Launch /F (cmd.exe) >>'] }), 'SAFE-PDF-LAUNCH'),
    pdf(
      'a launch action on opening',
      makePdf({ catalog: '/OpenAction << /S /La#75nch /Win << /F (x) >> >>' }),
      'SAFE-PDF-LAUNCH',
      'SAFE-PDF-AUTOMATIC-ACTION',
    ),
    pdf('a launch action in an object stream', makePdf({ packed: ['<< /S /Launch /F (x) >>'] }), 'SAFE-PDF-LAUNCH'),
    pdf(
      'a submit-form action',
      makePdf({ objects: ['<< /S /SubmitForm /F (http://x.invalid) >>'] }),
      'SAFE-PDF-FORM-DATA',
    ),
    pdf('an import-data action', makePdf({ objects: ['<< /S /ImportData /F (x.fdf) >>'] }), 'SAFE-PDF-FORM-DATA'),
    pdf(
      'an attachment',
      makePdf({
        objects: [
          '<< /Type /Filespec /F (a.exe) /EF << /F 5 0 R >> >>',
          streamObject('/Type /EmbeddedFile', Buffer.from('MZ')),
        ],
      }),
      'SAFE-PDF-EMBEDDED-FILE',
      'SAFE-NOT-VERIFIED',
    ),
    pdf(
      'an attachment without a file specification',
      makePdf({ objects: [streamObject('/Type /Embedded#46ile', Buffer.from('MZ'))] }),
      'SAFE-PDF-EMBEDDED-FILE',
      'SAFE-NOT-VERIFIED',
    ),
    pdf(
      'a rich media annotation',
      makePdf({ objects: ['<< /Type /Annot /Subtype /RichMedia >>'] }),
      'SAFE-PDF-RICH-MEDIA',
    ),
    pdf('an XFA form', makePdf({ catalog: '/AcroForm << /Fields [] /XFA 5 0 R >>' }), 'SAFE-PDF-XFA'),
    pdf(
      'an object stream that is a decompression bomb',
      makePdf({ objects: [objectStream([], undefined, () => deflateSync(bombData))] }),
      'SAFE-PDF-BOMB',
      'SAFE-NOT-VERIFIED',
    ),
    pdf('an encrypted document', makePdf({ trailer: '/Encrypt 9 0 R' }), 'SAFE-NOT-VERIFIED'),
    pdf(
      'an encrypted document with a launch action',
      makePdf({ trailer: '/Encrypt 9 0 R', objects: ['<< /S /Launch /F (x) >>'] }),
      'SAFE-NOT-VERIFIED',
      'SAFE-PDF-LAUNCH',
    ),
    pdf(
      'an object stream with an unsupported filter',
      makePdf({ objects: [objectStream([scriptAction], '/Filter /LZWDecode')] }),
      'SAFE-NOT-VERIFIED',
    ),
    pdf(
      'a script in hexadecimal encoding that another object names',
      makePdf({
        objects: [objectStream([scriptAction], '/Filter 9 0 R', (plain) => Buffer.from(`${plain.toString('hex')}>`))],
      }),
      'SAFE-NOT-VERIFIED',
    ),
    pdf(
      'a script that is compressed twice, as another object says',
      makePdf({ objects: [objectStream([scriptAction], '/Filter 9 0 R', (plain) => deflateSync(deflateSync(plain)))] }),
      'SAFE-NOT-VERIFIED',
    ),
    pdf(
      'a launch action beside another action, both deeply nested',
      makePdf({
        objects: [`${'<< /A '.repeat(130)}[<< /S /Launch >> << /S /GoTo >>]${' >>'.repeat(130)}`],
      }),
      'SAFE-NOT-VERIFIED',
    ),
    pdf(
      'a damaged object stream',
      makePdf({
        objects: [objectStream([scriptAction], undefined, () => Buffer.from('x\x9c\xff\xff\xff\xff', 'latin1'))],
      }),
      'SAFE-NOT-VERIFIED',
    ),
  ];
}
