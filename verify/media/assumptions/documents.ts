import { makeOfficeFile, type Part, relationships } from '@assay/testing/media/make-office.ts';
import type { Assumption } from './assumption.ts';
import { otherDocuments } from './other-documents.ts';
import { utf16 } from './sources.ts';

const check = 'file-safety';

const template = 'https://example.com/a.dotm';
const settings = 'word/_rels/settings.xml.rels';
const templateRelationship = relationships([['attachedTemplate', template, true]]);
const external = { 'SAFE-OFFICE-EXTERNAL': { says: /attachedTemplate/ } };

/** A document whose settings load a template, stored in a way that a reader could overlook. */
const loadsTemplate = (promise: string, ...parts: Part[]): Assumption => ({
  promise,
  check,
  filename: 'a.docx',
  make: () => makeOfficeFile('docx', parts),
  issues: external,
});

const packages: Assumption[] = [
  loadsTemplate('finds a remote template in a document of the strict variant of Office Open XML', {
    name: settings,
    data: templateRelationship.replaceAll(
      'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
      'http://purl.oclc.org/ooxml/officeDocument/relationships',
    ),
  }),
  loadsTemplate('finds a remote template in a part of UTF-16', { name: settings, data: utf16(templateRelationship) }),
  loadsTemplate('finds a remote template in a part whose name is in capitals', {
    name: settings.toUpperCase(),
    data: templateRelationship,
  }),
  loadsTemplate('finds a remote template in a part whose name has backslashes', {
    name: settings.replaceAll('/', '\\'),
    data: templateRelationship,
  }),
  loadsTemplate('finds a remote template whose element has a namespace prefix', {
    name: settings,
    data: templateRelationship
      .replaceAll('<Relationship', '<r:Relationship')
      .replace('</Relationships', '</r:Relationships')
      .replace('xmlns=', 'xmlns:r='),
  }),
  loadsTemplate('finds a remote template whose address is written with character references', {
    name: settings,
    data: templateRelationship
      .replace('attachedTemplate"', '&#97;ttachedTemplate"')
      .replace('External', '&#69;xternal'),
  }),
  {
    promise: 'does not pass a part that is compressed in a way that cannot be read',
    check,
    filename: 'a.docx',
    make: () => withMethod(makeOfficeFile('docx', [{ name: settings, data: templateRelationship }]), settings, 12),
    outcome: 'incomplete',
    notExamined: /settings\.xml\.rels/,
  },
  {
    promise: 'finds an embedded object outside the folder of embedded objects',
    check,
    filename: 'a.docx',
    make: () => withObject('oleObject', 'media/image9.png'),
    issues: { 'SAFE-OFFICE-EMBEDDED-OBJECT': { says: /image9\.png/ } },
    outcome: 'incomplete',
    notExamined: /image9\.png/,
  },
  {
    promise: 'does not pass an imported document of another format',
    check,
    filename: 'a.docx',
    make: () => withObject('aFChunk', 'chunk.dat'),
    outcome: 'incomplete',
    notExamined: /chunk\.dat/,
  },
  {
    promise: 'accepts a document whose entries have no sizes in front of them',
    check,
    filename: 'a.docx',
    make: () => withDataDescriptors(makeOfficeFile('docx')),
  },
  {
    promise: 'reads macros of a document that is embedded under the name of a document without them',
    check,
    filename: 'a.pptx',
    make: () =>
      makeOfficeFile('pptx', [
        { name: 'ppt/embeddings/a.docx', data: makeOfficeFile('docx', [{ name: 'word/vbaProject.bin', data: 'x' }]) },
      ]),
    issues: { 'SAFE-OFFICE-MACRO': {} },
  },
];

function withObject(kind: string, target: string): Buffer {
  return makeOfficeFile('docx', [
    { name: 'word/_rels/document.xml.rels', data: relationships([[kind, target, false]]) },
    { name: `word/${target}`, data: Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 an object', 'latin1') },
  ]);
}

/** Changes the compression method in both headers of an entry. */
function withMethod(archive: Buffer, name: string, method: number): Buffer {
  const changed = Buffer.from(archive);
  const [local, directory] = [archive.indexOf(name), archive.lastIndexOf(name)];
  changed.writeUInt16LE(method, local - 30 + 8);
  changed.writeUInt16LE(method, directory - 46 + 10);
  return changed;
}

/** Entries as a program writes them that does not know their sizes yet: a flag, zeros, and the sizes afterwards. */
function withDataDescriptors(archive: Buffer): Buffer {
  const changed = Buffer.from(archive);
  for (const [signature, flagsAt] of [
    ['PK\x03\x04', 6],
    ['PK\x01\x02', 8],
  ] as const) {
    for (let at = changed.indexOf(signature, 0, 'latin1'); at >= 0; at = changed.indexOf(signature, at + 1, 'latin1')) {
      changed.writeUInt16LE(8, at + flagsAt);
      if (flagsAt === 6) changed.fill(0, at + 14, at + 26);
    }
  }
  return changed;
}

export const documents: Assumption[] = [...packages, ...otherDocuments];
