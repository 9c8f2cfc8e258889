import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { withBytes } from '@assay/testing/media/examine.ts';
import { makeOfficeFile } from '@assay/testing/media/make-office.ts';
import { makePdf, passwordTrailer, streamObject } from '@assay/testing/media/make-pdf.ts';
import { sample } from '@assay/testing/media/samples.ts';
import { describe, expect, test } from 'vitest';
import { defaultLimits } from '#evidence/bounded.ts';
import { readMetadata } from '#evidence/file/metadata/metadata.ts';
import { encryptedDocument } from '#evidence/file/samples/encrypted-document.ts';
import { exifSegment } from '#evidence/file/samples/hit-bounds.ts';
import { runSidekicks } from '#run/run.ts';
import { sidekicks } from '#sidekick/catalogue.ts';
import type { FactEvidence } from './facts.ts';
import { judgeUnread } from './judge-unread.ts';
import { pdfWithInfo } from './samples/leaky-documents.ts';
import { withPosition } from './samples/make-exif.ts';
import { sidekick } from './sidekick.ts';

/** The outcome of both checks, the reasons for what they did not examine, and the rules of their findings. */
async function examine(filename: string, bytes: Uint8Array) {
  const chosen = sidekicks.filter(({ shortName }) => shortName === 'file-safety' || shortName === sidekick.shortName);
  const { checks, findings } = await withBytes(bytes, (source) =>
    runSidekicks(chosen, source, declarationFor(filename, 'general')),
  );
  const [safety, privacy] = checks.map(({ outcome, coverage }) => {
    return [outcome, ...new Set(coverage.notExamined.map(({ reason }) => reason))].join(' ');
  });
  return { safety, privacy, codes: findings.map(({ ruleCode }) => ruleCode), checks };
}

const docx = (...photos: Uint8Array[]) =>
  makeOfficeFile(
    'docx',
    photos.map((data, i) => ({ name: `word/media/image${i}.jpg`, data: Buffer.from(data) })),
  );
const plainPhotos = (count: number) => Array.from({ length: count }, (_, i) => exifSegment(i));
const photo = withPosition(sample('still.jpg'));

describe('photos in a document', () => {
  test.each([8, 199])('are read: a position in the one after %d others is found', async (count) => {
    const { codes, privacy } = await examine('a.docx', docx(...plainPhotos(count), photo));
    expect({ codes, privacy }).toEqual({ codes: ['META-POSITION'], privacy: 'ran' });
  });

  test('make the check incomplete if there are more than 200, even if the others say nothing', async () => {
    const { codes, privacy } = await examine('a.docx', docx(...plainPhotos(200), photo));
    expect({ codes, privacy }).toEqual({ codes: ['META-NOT-VERIFIED'], privacy: 'incomplete limit_reached' });
  });
});

describe('an encrypted document makes both checks incomplete:', () => {
  const noise = '00112233445566778899aabbccddeeff'.repeat(2);

  test('a PDF with a user password', async () => {
    const bytes = pdfWithInfo('/Author (x)', { trailer: passwordTrailer });
    const { safety, privacy } = await examine('a.pdf', bytes);
    expect({ safety, privacy }).toEqual({ safety: 'incomplete encrypted', privacy: 'incomplete encrypted' });
  });

  test('a PDF with AES-256, which takes longer to decrypt than ExifTool may take', async () => {
    const [hash, key] = [noise + noise.slice(0, 32), noise].map((hex) => `<${hex}>`);
    const aes = `/Encrypt << /Filter /Standard /V 5 /R 6 /Length 256 /P -44 /O ${hash} /U ${hash} /OE ${key} /UE ${key} /StmF /StdCF /StrF /StdCF /CF << /StdCF << /CFM /AESV3 /Length 32 >> >> >>`;
    const bytes = pdfWithInfo('/Author (x)', { trailer: `/ID [${key} ${key}] ${aes}` });
    const read = await withBytes(bytes, (source) => readMetadata(source, { ...defaultLimits, exifToolCpuSeconds: 1 }));
    expect(read).toMatchObject({ complaints: [{ reason: 'encrypted' }], hit: ['exifToolCpuSeconds'] });
  });

  test('an Office file with a password', async () => {
    const { safety, privacy } = await examine('a.docx', encryptedDocument());
    expect({ safety, privacy }).toEqual({ safety: 'incomplete encrypted', privacy: 'incomplete encrypted' });
  });

  test('an Office file with encrypted parts', async () => {
    const parts = ['docProps/core.xml', 'word/media/a.jpg'].map((name) => ({ name, data: 'x', isEncrypted: true }));
    const { safety, privacy } = await examine('a.docx', makeOfficeFile('docx', parts));
    expect({ safety, privacy }).toEqual({ safety: 'incomplete encrypted', privacy: 'incomplete encrypted' });
  });
});

test('embedded files that are not opened are named, and ordinary images, fonts and workbooks are not', async () => {
  const parts = ['word/embeddings/oleObject1.bin', 'word/media/image1.png', 'word/fonts/font1.odttf'];
  const workbook = { name: 'word/embeddings/a.xlsx', data: makeOfficeFile('xlsx') };
  const office = await examine(
    'a.docx',
    makeOfficeFile('docx', [...parts.map((name) => ({ name, data: 'x' })), workbook]),
  );
  expect(office.checks[0]?.coverage.notExamined).toEqual([
    { kind: 'embedded_file', label: 'word/embeddings/oleObject1.bin', reason: 'unsupported', share: null },
  ]);
  const attachment = streamObject('/Type /EmbeddedFile', Buffer.from('a'));
  const pdf = await examine('a.pdf', makePdf({ objects: ['<< /Type /Filespec /EF << /F 5 0 R >> >>', attachment] }));
  expect(pdf.checks[0]?.coverage.notExamined).toEqual([
    { kind: 'embedded_file', label: '1 attached file', reason: 'unsupported', share: null },
  ]);
});

test('what was examined is counted: entries of an archive, objects of a PDF, tags and photos', async () => {
  const office = await examine('a.docx', docx(photo));
  expect(office.checks.map(({ coverage }) => coverage.examined)).toMatchObject([
    [{ quantity: 1 }, { kind: 'entries', quantity: 4, unit: 'entries' }],
    [
      { kind: 'metadata', unit: 'tags' },
      { kind: 'embedded_file', quantity: 1, unit: 'photos' },
    ],
  ]);
  const pdf = await examine('a.pdf', makePdf());
  expect(pdf.checks[0]?.coverage.examined).toMatchObject([{}, { kind: 'pages', quantity: 3, unit: 'objects' }]);
});

test('a file whose format has no reader is not a file without metadata', async () => {
  const { privacy } = await examine('a.docx', Buffer.from('\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0', 'latin1'));
  expect(privacy).toBe('incomplete unsupported');
  expect((await examine('a.txt', Buffer.from('text'))).checks[1]).toMatchObject({
    outcome: 'not_applicable',
    reason: 'nothing_in_file',
  });
});

test('a thumbnail that was not compared says whether it, the format of the file or a limit was the reason', () => {
  const thumbnail = { name: 'ThumbnailImage', width: 160, height: 120, likeness: null };
  const metadata = { reader: '', tags: [], track: null, complaints: [], photoCount: 0, hit: [] };
  const summaryFor = (reason: 'damaged' | 'unsupported' | 'limit_reached') =>
    judgeUnread({ metadata: { ...metadata, thumbnails: [{ ...thumbnail, reason }] } } as unknown as FactEvidence)[0]
      ?.summary;
  expect(summaryFor('unsupported')).toContain('because images in the format of this file are not decoded here.');
  expect(summaryFor('damaged')).toContain('because one of them cannot be decoded.');
  expect(summaryFor('limit_reached')).toContain('because it exceeds a limit.');
});
