import { makeOfficeFile, relationships, withZip64End } from '@assay/testing/media/make-office.ts';
import { encryptedDocument } from '#evidence/file/samples/encrypted-document.ts';
import type { RuleCode } from '../rules.ts';
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
    [
      'an embedded object',
      'a.docx',
      zipped('word/embeddings/oleObject1.bin'),
      ['SAFE-OFFICE-EMBEDDED-OBJECT', 'SAFE-NOT-VERIFIED'],
    ],
    [
      'an embedded workbook with macros',
      'a.pptx',
      makeOfficeFile('pptx', [{ name: 'ppt/embeddings/book.xlsm', data: 'x' }]),
      ['SAFE-OFFICE-EMBEDDED-OBJECT', 'SAFE-NOT-VERIFIED'],
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
    ...disguisedTemplates(),
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
    [
      'path traversal with backslashes',
      'a.docx',
      zipped('word\\..\\..\\x.dll'),
      ['SAFE-ARCHIVE-PATH', 'SAFE-NOT-VERIFIED'],
    ],
    ['a name with a drive letter', 'a.docx', zipped('C:\\x.dll'), ['SAFE-ARCHIVE-PATH', 'SAFE-NOT-VERIFIED']],
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

/** A template from the web in every valid notation that hides it from a reader with bounds or of plain text. */
function disguisedTemplates(): HostileFile[] {
  const part = (label: string, data: string | Buffer, ...expected: RuleCode[]): HostileFile => {
    return [label, 'a.docx', settingsRelationships(data), expected];
  };
  const external: RuleCode = 'SAFE-OFFICE-EXTERNAL';
  const type = 'Type="x/attachedTemplate"';
  const template = `<Relationship ${type} Target="http://x.invalid/t.dotm" TargetMode="External"/>`;
  const hyperlink = '<Relationship Type="x/hyperlink" Target="http://x.invalid/" TargetMode="External"/>';
  const listOf = (...elements: string[]) => `<Relationships>${elements.join('')}</Relationships>`;
  const utf16 = Buffer.from(listOf(template), 'utf16le');
  const inner = makeOfficeFile('xlsx', [{ name: 'xl/_rels/workbook.xml.rels', data: listOf(template) }]);
  return [
    part('a template behind 2,000 links', listOf(hyperlink.repeat(2000), template), external),
    part('a template with 65 spaces before =', listOf(template.replace('Mode=', `Mode${' '.repeat(65)}=`)), external),
    part(
      'a template with 16 KiB of spaces',
      listOf(template.replace(' Target', `${' '.repeat(16_384)}Target`)),
      external,
    ),
    part('a template in single quotes', listOf(template.replaceAll('"', "'")), external),
    part(
      'a template with a prefix',
      `<a:Relationships xmlns:a="u">${template.replace('<', '<a:')}</a:Relationships>`,
      external,
    ),
    part('a template in UTF-16LE without a mark', utf16, external),
    part('a template in UTF-16BE without a mark', Buffer.from(utf16).swap16(), external),
    part('a template as character references', listOf(template.replace('attached', '&#x61;tt&#97;ched')), external),
    part('a template after 5,000 spaces', listOf(template.replace('http:', `${' '.repeat(5000)}http:`)), external),
    part(
      'a template in Latin-1',
      Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?><!-- \xe9 -->${listOf(template)}`, 'latin1'),
      external,
    ),
    part(
      'a template in UTF-8 that claims to be UTF-16',
      `<?xml version="1.0" encoding="utf-16"?>${listOf(template)}`,
      external,
    ),
    part('a template in an unknown encoding', `<?xml version="1.0" encoding="UTF-7"?>${listOf()}`, 'SAFE-NOT-VERIFIED'),
    part(
      'a template that is external by a document type',
      `<!DOCTYPE Relationships [<!ATTLIST Relationship TargetMode CDATA "External">]>${listOf(`<Relationship ${type} Target="http://x.invalid/"/>`)}`,
      'SAFE-NOT-VERIFIED',
    ),
    [
      'a template in an embedded workbook',
      'a.docx',
      makeOfficeFile('docx', [{ name: 'word/embeddings/1.xlsx', data: inner }]),
      [external],
    ],
    [
      'macros in an embedded document',
      'a.pptx',
      makeOfficeFile('pptx', [{ name: 'ppt/embeddings/1.docx', data: zipped('word/vbaProject.bin') }]),
      ['SAFE-OFFICE-MACRO'],
    ],
    ['an archive in a document', 'a.docx', zipped('word/media/a.zip'), ['SAFE-NOT-VERIFIED']],
    [
      'more entries than are declared',
      'a.docx',
      withFewerDeclared(zipped('word/vbaProject.bin')),
      ['SAFE-OFFICE-MACRO', 'SAFE-NOT-VERIFIED'],
    ],
    ['an encrypted document', 'a.docx', encryptedDocument(), ['SAFE-TYPE-MISMATCH', 'SAFE-NOT-VERIFIED']],
  ];
}

/** The end record declares one entry fewer than the directory has. */
function withFewerDeclared(archive: Buffer): Buffer {
  const copy = Buffer.from(archive);
  for (const at of [8, 10]) copy.writeUInt16LE(copy.readUInt16LE(copy.length - 22 + at) - 1, copy.length - 22 + at);
  return copy;
}
