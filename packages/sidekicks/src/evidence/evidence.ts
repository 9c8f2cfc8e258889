import { readCueFile } from './captions/cue-file.ts';
import { readEmbeddedCaptions } from './captions/embedded-captions.ts';
import { readForeignContent } from './foreign-content.ts';
import { readImageHeader } from './image-header.ts';
import { readMetadata } from './metadata.ts';
import type { PassEvidence } from './pass/gather-pass.ts';
import { readPdfContent } from './pdf-content.ts';
import type { Probe } from './probe-report.ts';
import { recognise } from './recognise.ts';
import type { Source } from './source.ts';
import { readTestSignature } from './test-signature.ts';
import { readTextFlaw } from './text-flaw.ts';
import { readZipContent } from './zip-content.ts';

/** What several gatherers need: made once, for whoever asks first. */
export type Shared = {
  probe(): Promise<Probe | null>;
  pass(): Promise<PassEvidence | null>;
};

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
  metadata: (source: Source) => readMetadata(source),
  cueFile: (source: Source) => readCueFile(source),
  embeddedCaptions: async (source: Source, { probe }: Shared) => readEmbeddedCaptions(source, await probe()),
  probe: (_: Source, { probe }: Shared) => probe(),
  // Of one decoding, in which just the taps of those that are asked for are open.
  loudness: async (_: Source, { pass }: Shared) => (await pass())?.loudness ?? null,
  picture: async (_: Source, { pass }: Shared) => (await pass())?.picture ?? null,
  sound: async (_: Source, { pass }: Shared) => (await pass())?.sound ?? null,
  flashes: async (_: Source, { pass }: Shared) => (await pass())?.flashes ?? null,
  decoding: async (_: Source, { pass }: Shared) => (await pass())?.decoding ?? null,
};

export type EvidenceName = keyof typeof gatherers;
export type Evidence = { [Name in EvidenceName]: Awaited<ReturnType<(typeof gatherers)[Name]>> };
