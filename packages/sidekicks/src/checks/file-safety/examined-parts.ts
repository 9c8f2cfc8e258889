import type { Examined } from '@assay/contract/schemas/coverage.ts';
import type { Evidence } from '#evidence/evidence.ts';
import type { ZipPackage } from '#evidence/file/archive/zip-content.ts';
import type { Declared } from '#sidekick/sidekick.ts';

type PartEvidence = Pick<Evidence, 'recognition' | 'imageHeader' | 'pdfContent' | 'zipContent'>;

/** What the check examines in a file: always its type, and the structure of the formats that it reads. */
export function examinedParts(
  { recognition, imageHeader, pdfContent, zipContent }: PartEvidence,
  { media }: Declared,
): Examined[] {
  const isText = media.recognisedAs.includes('text');
  return [
    { kind: 'entries', label: `type of the file (${recognition})`, quantity: 1, unit: 'files' },
    ...(isText ? [{ kind: 'text', label: 'text', quantity: null, unit: null } as const] : []),
    ...(imageHeader
      ? [{ kind: 'image', label: imageHeader.format, quantity: imageHeader.frames, unit: 'frames' } as const]
      : []),
    ...(pdfContent
      ? [{ kind: 'pages', label: 'objects of the PDF', quantity: pdfContent.objectCount, unit: 'objects' } as const]
      : []),
    ...(zipContent
      ? [
          {
            kind: 'entries',
            label: 'entries of the archive',
            quantity: countEntries(zipContent),
            unit: 'entries',
          } as const,
        ]
      : []),
  ];
}

/** Those of embedded packages included. */
function countEntries({ entries, nested }: ZipPackage): number {
  return nested.reduce((sum, { content }) => sum + countEntries(content), entries.length);
}
