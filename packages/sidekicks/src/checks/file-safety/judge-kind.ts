import { extname } from 'node:path';
import type { Evidence } from '#evidence/evidence.ts';
import { programTypes } from '#evidence/file/format/program-types.ts';
import { textWindowBytes } from '#evidence/file/plain-text/text-flaw.ts';
import { formatBytes, formatCount, formatInteger } from '#sidekick/format-values.ts';
import { certainFinding, uncertainFinding } from '#sidekick/rule-table.ts';
import type { Declared, Finding } from '#sidekick/sidekick.ts';
import { listFirst, quote, toPlainText } from '#sidekick/words.ts';
import type { RuleCode } from './rules.ts';

/** Unidentified data after an image is reported only from this size on. */
const appendedBytesMin = 64 * 1024;

/** Names of content that has no media type. */
const contentNames: Readonly<Record<string, string>> = { text: 'plain text', unknown: 'of an unknown type' };

/** Maps the location of a second file, as worded in subjects, which never change, to the wording shown to users. */
const secondFilePlaces = {
  'at its beginning': 'at its start',
  'at its end': 'at its end',
  'behind the picture': 'after the image',
  'among its metadata': 'in its metadata',
  'by its first words': 'at its start',
} as const;

type KindEvidence = Pick<
  Evidence,
  'recognition' | 'testSignature' | 'textFlaw' | 'foreignContent' | 'pdfContent' | 'zipContent'
>;

/** Reports content that does not match the file extension, or that is a second file type at the same time. */
export function judgeKind(evidence: KindEvidence, { media, filename }: Declared): Finding<RuleCode>[] {
  const { recognition, testSignature, textFlaw } = evidence;
  const isText = media.recognisedAs.includes('text');
  const named = `The file is named ${toPlainText(extname(filename).toLowerCase())}, but its content is`;
  const found: Finding<RuleCode>[] = [];
  if (testSignature) {
    found.push(
      certainFinding('SAFE-TEST-SIGNATURE', {
        subject: 'EICAR test file',
        summary: 'The file starts with the EICAR antivirus test string. Deliver a file without it.',
        severityReasoning: 'The first 68 bytes are the EICAR test string',
      }),
    );
  }
  if (programTypes.has(recognition)) {
    found.push(
      certainFinding('SAFE-EXECUTABLE', {
        subject: 'program',
        summary: `${named} a program (${recognition}). Do not open it; deliver the media file.`,
        severityReasoning: `The content is ${recognition}; the declared type is ${media.type}`,
      }),
    );
  } else if (!media.recognisedAs.includes(recognition)) {
    found.push(
      certainFinding('SAFE-TYPE-MISMATCH', {
        subject: 'media type',
        summary: `${named} ${contentNames[recognition] ?? recognition}. Deliver the right file, or rename this one.`,
        severityReasoning: `The content is ${recognition}; the declared type is ${media.type}, which requires ${media.recognisedAs.join(' or ')}`,
      }),
    );
  } else if (isText && textFlaw?.flaw) {
    const { kind, offset } = textFlaw.flaw;
    const fields = {
      subject: 'text with binary content',
      summary: `The text file has ${kind === 'nul' ? 'binary content' : 'damaged characters or binary content'}. Save it as plain text in UTF-8.`,
      severityReasoning: `${kind === 'nul' ? 'A NUL character' : 'Invalid characters'} between bytes ${formatInteger(offset)} and ${formatInteger(offset + textWindowBytes)}`,
    };
    // Invalid characters can also come from damage or a mixture of encodings; a NUL cannot.
    found.push((kind === 'nul' ? certainFinding : uncertainFinding)('SAFE-TEXT-BINARY', fields));
  }
  return [...found, ...judgeForeign(evidence, isText, media)];
}

function judgeForeign(evidence: KindEvidence, isText: boolean, media: Declared['media']): Finding<RuleCode>[] {
  const { recognition, foreignContent, pdfContent, zipContent } = evidence;
  const { opening, scriptInHead, appended } = foreignContent;
  const found: Finding<RuleCode>[] = [];
  const second = (kind: string, where: keyof typeof secondFilePlaces, severityReasoning: string, isCertain = true) =>
    found.push(
      (isCertain ? certainFinding : uncertainFinding)('SAFE-POLYGLOT', {
        subject: `${kind} ${where}`,
        summary: `The file also contains ${kind} ${secondFilePlaces[where]}. Remove it, or export the file again.`,
        severityReasoning,
      }),
    );

  if (
    pdfContent &&
    pdfContent.objectCount > 0 &&
    recognition !== 'application/pdf' &&
    media.type !== 'application/pdf'
  ) {
    second(
      'a PDF',
      'at its beginning',
      `PDF header at byte ${pdfContent.headerAt} and ${formatCount(pdfContent.objectCount, 'PDF object')} in ${recognition}`,
    );
  }
  if (zipContent && !zipContent.beginsFile) {
    second(
      'a zip archive',
      'at its end',
      `Zip directory with ${formatCount(zipContent.entries.length, 'entry', 'entries')}: ${listNames(zipContent.entries)}`,
    );
  } else if (appended?.kind && !appended.isFromCamera) {
    second(appended.kind, 'behind the picture', `${formatBytes(appended.sizeBytes)} after the end of the image`);
  } else if (appended && isUnexplained(appended)) {
    found.push(
      uncertainFinding('SAFE-APPENDED-DATA', {
        subject: 'data behind the picture',
        summary: `The file has ${formatBytes(appended.sizeBytes)} of unidentified data after the image (threshold: ${formatBytes(appendedBytesMin)}). Export the image again.`,
        severityReasoning: `${formatCount(appended.sizeBytes, 'byte')} after the end of the image, of no known type`,
        measured: appended.sizeBytes,
        limit: appendedBytesMin,
        unit: 'B',
      }),
    );
  }
  if (scriptInHead && media.category !== 'document') {
    second(scriptInHead, 'among its metadata', `Found ${scriptInHead} within the first 64.0 KiB`);
  }
  // Needs review: a script may be sent as text to be read.
  if (isText && opening) second(opening, 'by its first words', `The text starts as ${opening}`, false);
  return found;
}

function listNames(entries: readonly { name: string }[]): string {
  return listFirst(
    entries.map(({ name }) => name),
    quote,
  );
}

function isUnexplained(appended: NonNullable<Evidence['foreignContent']['appended']>): boolean {
  return appended.sizeBytes >= appendedBytesMin && !appended.isPadding && !appended.isFromCamera;
}
