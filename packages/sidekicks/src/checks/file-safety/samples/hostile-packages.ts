import { makeOfficeFile, relationships, withZip64End } from '@assay/testing/media/make-office.ts';
import type { HostileFile } from './hostile-file.ts';

const externalRelationship = (kind: string, target: string) =>
  makeOfficeFile('docx', [{ name: 'word/_rels/document.xml.rels', data: relationships([[kind, target, true]]) }]);
const settingsRelationships = (data: string | Buffer) =>
  makeOfficeFile('docx', [{ name: 'word/_rels/settings.xml.rels', data }]);
const templateAttributes = 'Type="x/attachedTemplate" Target="http://x.invalid/t.dotm" TargetMode';
const zipped = (...names: string[]) =>
  makeOfficeFile(
    'docx',
    names.map((name) => ({ name, data: 'x' })),
  );

/** Office files that contain code, or that break programs which unpack them. */
export function hostilePackages(): HostileFile[] {
  const macroType = '<Override PartName="/word/x.bin" ContentType="application/vnd.ms-office.vbaProject"/>';
  const utf16 = Buffer.from(
    `\ufeff${relationships([['attachedTemplate', 'http://x.invalid/t.dotm', true]])}`,
    'utf16le',
  );
  const overlap = makeOfficeFile('docx', [
    { name: 'a', data: 'x'.repeat(99) },
    { name: 'b', data: 'x'.repeat(99), sameBytesAs: 3 },
  ]);
  return [
    ['macros', 'a.docx', zipped('word/vbaProject.bin'), ['SAFE-OFFICE-MACRO']],
    ['macros in a ZIP64 archive', 'a.docx', withZip64End(zipped('word/vbaProject.bin')), ['SAFE-OFFICE-MACRO']],
    ['macros with an upper-case path', 'a.docx', zipped('WORD/VBAPROJECT.BIN'), ['SAFE-OFFICE-MACRO']],
    [
      'macros in a workbook',
      'a.xlsx',
      makeOfficeFile('xlsx', [{ name: 'xl\\vbaProject.bin', data: 'x' }]),
      ['SAFE-OFFICE-MACRO'],
    ],
    [
      'macros under another name',
      'a.docx',
      makeOfficeFile('docx', [{ name: 'word/x.bin', data: 'x' }], macroType),
      ['SAFE-OFFICE-MACRO'],
    ],
    [
      'macros by relationship',
      'a.pptx',
      makeOfficeFile('pptx', [
        { name: 'ppt/_rels/presentation.xml.rels', data: relationships([['vbaProject', 'x.bin', false]]) },
      ]),
      ['SAFE-OFFICE-MACRO'],
    ],
    [
      'a macro sheet',
      'a.xlsx',
      makeOfficeFile('xlsx', [{ name: 'xl/macrosheets/sheet1.xml', data: '<x/>' }]),
      ['SAFE-OFFICE-MACRO'],
    ],
    ['an ActiveX control', 'a.docx', zipped('word/activeX/activeX1.xml'), ['SAFE-OFFICE-CONTROL']],
    ['an embedded object', 'a.docx', zipped('word/embeddings/oleObject1.bin'), ['SAFE-OFFICE-EMBEDDED-OBJECT']],
    [
      'an embedded workbook with macros',
      'a.pptx',
      makeOfficeFile('pptx', [{ name: 'ppt/embeddings/book.xlsm', data: 'x' }]),
      ['SAFE-OFFICE-EMBEDDED-OBJECT'],
    ],
    [
      'a template from the web',
      'a.docx',
      externalRelationship('attachedTemplate', 'https://x.invalid/t.dotm'),
      ['SAFE-OFFICE-EXTERNAL'],
    ],
    [
      'a template on a network share',
      'a.docx',
      externalRelationship('attachedTemplate', '\\\\host\\share\\t.dotm'),
      ['SAFE-OFFICE-EXTERNAL'],
    ],
    [
      'a template on a network share, by URL',
      'a.docx',
      externalRelationship('attachedTemplate', 'file://host/share/t.dotm'),
      ['SAFE-OFFICE-EXTERNAL'],
    ],
    [
      'a linked object',
      'a.docx',
      externalRelationship('oleObject', 'mhtml:http://x.invalid!x'),
      ['SAFE-OFFICE-EXTERNAL'],
    ],
    ['a frame', 'a.docx', externalRelationship('frame', 'http://x.invalid/'), ['SAFE-OFFICE-EXTERNAL']],
    [
      'an unknown kind of relationship',
      'a.docx',
      externalRelationship('zzz', 'http://x.invalid/'),
      ['SAFE-OFFICE-EXTERNAL'],
    ],
    [
      'an obfuscated template',
      'a.docx',
      settingsRelationships(
        "<r:Relationships><r:Relationship Type='x/attachedTemplate' Target='&#104;ttp://x.invalid' TargetMode = 'Ext&#x65;rnal'/></r:Relationships>",
      ),
      ['SAFE-OFFICE-EXTERNAL'],
    ],
    ['a template in UTF-16', 'a.docx', settingsRelationships(utf16), ['SAFE-OFFICE-EXTERNAL']],
    [
      'a template behind 20,000 spaces',
      'a.docx',
      settingsRelationships(
        `<Relationships><Relationship ${' '.repeat(20_000)}${templateAttributes}${' '.repeat(100)}= "External"/></Relationships>`,
      ),
      ['SAFE-OFFICE-EXTERNAL'],
    ],
    [
      'relationships that are not well-formed',
      'a.docx',
      settingsRelationships(`<Relationships a="<"><Relationship ${templateAttributes}="External"/></Relationships>`),
      ['SAFE-NOT-VERIFIED'],
    ],
    [
      'macros by a content type in character references',
      'a.docx',
      makeOfficeFile('docx', [], '<Override PartName="/x" ContentType="application/x.&#109;acroEnabled"/>'),
      ['SAFE-OFFICE-MACRO'],
    ],
    [
      'an entry that declares 4 GB',
      'a.xlsx',
      makeOfficeFile('xlsx', [{ name: 'xl/x.xml', data: 'x', declaredBytes: 0xfffffff0 }]),
      ['SAFE-ARCHIVE-BOMB'],
    ],
    [
      'an entry that expands a thousandfold',
      'a.docx',
      makeOfficeFile('docx', [{ name: 'word/x.xml', data: Buffer.alloc(110 * 1024 * 1024) }]),
      ['SAFE-ARCHIVE-BOMB'],
    ],
    [
      'many entries that together expand beyond the limit',
      'a.docx',
      makeOfficeFile(
        'docx',
        Array.from({ length: 50 }, (_, i) => ({ name: `word/${i}.xml`, data: 'x', declaredBytes: 90_000_000 })),
      ),
      ['SAFE-ARCHIVE-BOMB'],
    ],
    ['entries that share bytes', 'a.docx', overlap, ['SAFE-ARCHIVE-STRUCTURE']],
    ['two parts with the same name', 'a.docx', zipped('word/a.xml', 'word/a.xml'), ['SAFE-ARCHIVE-STRUCTURE']],
    ['path traversal', 'a.docx', zipped('../../etc/cron.d/x'), ['SAFE-ARCHIVE-PATH']],
    ['path traversal with backslashes', 'a.docx', zipped('word\\..\\..\\x.dll'), ['SAFE-ARCHIVE-PATH']],
    ['a name with a drive letter', 'a.docx', zipped('C:\\x.dll'), ['SAFE-ARCHIVE-PATH']],
    [
      'an encrypted part',
      'a.docx',
      makeOfficeFile('docx', [{ name: 'word/x.xml', data: 'x', isEncrypted: true }]),
      ['SAFE-NOT-VERIFIED'],
    ],
    [
      'relationships beyond the size limit',
      'a.docx',
      makeOfficeFile('docx', [{ name: 'word/_rels/x.rels', data: Buffer.alloc(2_000_000, 0x20) }]),
      ['SAFE-NOT-VERIFIED'],
    ],
    ['a truncated package', 'a.docx', makeOfficeFile('docx').subarray(0, -40), ['SAFE-NOT-VERIFIED']],
  ];
}
