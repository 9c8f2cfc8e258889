import { readForeignContent } from './foreign-content.ts';
import { readImageHeader } from './image-header.ts';
import { readMetadata } from './metadata.ts';
import { readPdfContent } from './pdf-content.ts';
import { readProbe } from './probe.ts';
import { recognise } from './recognise.ts';
import type { Source } from './source.ts';
import { readTestSignature } from './test-signature.ts';
import { readTextFlaw } from './text-flaw.ts';
import { readZipContent } from './zip-content.ts';

/**
 * Name of a kind of evidence → what gathers it, once per asset however many sidekicks ask for it. A gatherer goes by
 * the bytes and not by what they are declared as, and answers `null` at little cost where there is nothing of its kind.
 */
export const gatherers = {
  recognition: ({ bytes }: Source) => recognise(bytes),
  testSignature: readTestSignature,
  textFlaw: readTextFlaw,
  imageHeader: readImageHeader,
  foreignContent: readForeignContent,
  pdfContent: readPdfContent,
  zipContent: readZipContent,
  probe: readProbe,
  metadata: readMetadata,
};

export type EvidenceName = keyof typeof gatherers;
export type Evidence = { [Name in EvidenceName]: Awaited<ReturnType<(typeof gatherers)[Name]>> };
