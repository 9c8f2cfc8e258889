import type { Source } from '@assay/jail/source/source.ts';
import { readZipContent } from './file/archive/zip-content.ts';
import { readForeignContent } from './file/format/foreign-content.ts';
import { recognise } from './file/format/recognise.ts';
import { readTestSignature } from './file/format/test-signature.ts';
import { readImageHeader } from './file/image/image-header.ts';
import { readMetadata } from './file/metadata/metadata.ts';
import { readPdfContent } from './file/pdf/pdf-content.ts';
import { readTextFlaw } from './file/plain-text/text-flaw.ts';
import { readActivePicture } from './media/active-picture/active-picture.ts';
import { readCueFile } from './media/captions/cue-file.ts';
import { readEmbeddedCaptions } from './media/captions/embedded-captions.ts';
import type { Pass } from './media/decode/gather-pass.ts';
import { readMediaInfo } from './media/media-info/media-info.ts';
import { readPackets } from './media/packets/packets.ts';
import { readAnimation } from './media/probe/animation.ts';
import { type Probe, undescribedStream } from './media/probe/probe-report.ts';

/** Results that several gatherers need. Each is computed once, on the first call. */
export type SharedResults = {
  probe(): Promise<Probe | null>;
  pass(): Promise<Pass | null>;
};

/**
 * The gatherer of each kind of evidence. It runs once per asset, however many sidekicks need the evidence, and relies
 * on the bytes, not on the declared type. For a file without evidence of this kind, it quickly returns `null`.
 */
export const gatherers = {
  recognition: ({ bytes }: Source) => recognise(bytes),
  testSignature: readTestSignature,
  textFlaw: (source: Source) => readTextFlaw(source),
  imageHeader: (source: Source) => readImageHeader(source),
  foreignContent: (source: Source) => readForeignContent(source),
  pdfContent: (source: Source) => readPdfContent(source),
  zipContent: (source: Source) => readZipContent(source),
  metadata: (source: Source) => readMetadata(source),
  cueFile: (source: Source) => readCueFile(source),
  embeddedCaptions: async (source: Source, { probe }: SharedResults) => readEmbeddedCaptions(source, await probe()),
  probe: async (_: Source, { probe, pass }: SharedResults) => withLateStreams(await probe(), await pass()),
  animation: (source: Source) => readAnimation(source),
  mediaInfo: async (source: Source, { probe }: SharedResults) => readMediaInfo(source, await probe()),
  packets: async (source: Source, { probe }: SharedResults) => readPackets(source, await probe()),
  activePicture: async (source: Source, { probe }: SharedResults) => readActivePicture(source, await probe()),
  // These kinds of evidence share one decoding pass, which measures only what is requested.
  loudness: async (_: Source, { pass }: SharedResults) => (await pass())?.loudness ?? null,
  video: async (_: Source, { pass }: SharedResults) => (await pass())?.video ?? null,
  audio: async (_: Source, { pass }: SharedResults) => (await pass())?.audio ?? null,
  furtherLoudness: async (_: Source, { pass }: SharedResults) => (await pass())?.furtherLoudness ?? null,
  furtherAudio: async (_: Source, { pass }: SharedResults) => (await pass())?.furtherAudio ?? null,
  flashes: async (_: Source, { pass }: SharedResults) => (await pass())?.flashes ?? null,
  patterns: async (_: Source, { pass }: SharedResults) => (await pass())?.patterns ?? null,
  decoding: async (_: Source, { pass }: SharedResults) => (await pass())?.decoding ?? null,
};

/** Checks see a stream that begins late like any other that cannot be decoded: it is not examined. */
function withLateStreams(probe: Probe | null, pass: Pass | null): Probe | null {
  const late = pass?.lateStreams ?? [];
  return probe && { ...probe, streams: [...probe.streams, ...late.map(undescribedStream)] };
}

export type EvidenceName = keyof typeof gatherers;
export type Evidence = { [Name in EvidenceName]: Awaited<ReturnType<(typeof gatherers)[Name]>> };
