import type { Evidence } from '../../evidence/evidence.ts';
import { textWindowBytes } from '../../evidence/text-flaw.ts';
import { certain, uncertain } from '../../rule-table.ts';
import type { Declared, Finding } from '../../sidekick.ts';
import { count } from '../../words.ts';
import type { RuleCode } from './rules.ts';
import { mebibytes, quoteNames } from './words.ts';

/** Behind an image, data of no known kind count from this size on. */
const appendedBytesMin = 64 * 1024;

const programs = new Set([
  'application/x-msdownload',
  'application/x-elf',
  'application/x-mach-binary',
  'application/java-vm',
  'application/wasm',
  'application/x-ms-shortcut',
  'application/vnd.android.package-archive',
  'application/x-google-chrome-extension',
  'application/x-deb',
  'application/x-rpm',
]);

/** What tells of what kind the file is. */
type KindEvidence = Pick<
  Evidence,
  'recognition' | 'testSignature' | 'textFlaw' | 'foreignContent' | 'pdfContent' | 'zipContent'
>;

/** Is it what it says it is, and nothing else beside? */
export function judgeKind(evidence: KindEvidence, { media }: Declared): Finding<RuleCode>[] {
  const { recognition, testSignature, textFlaw } = evidence;
  const isText = media.recognisedAs.includes('text');
  const found: Finding<RuleCode>[] = [];
  if (testSignature) {
    found.push(
      certain('SAFE-TEST-SIGNATURE', {
        subject: 'EICAR test file',
        summary: 'The file begins with the EICAR test string, by which virus scanners are tested.',
        severityReasoning: 'The 68 bytes of the EICAR string stand at its beginning.',
      }),
    );
  }
  if (programs.has(recognition)) {
    found.push(
      certain('SAFE-EXECUTABLE', {
        subject: 'program',
        summary: `The file is a program that is named as if it were ${media.type}.`,
        severityReasoning: `Its first bytes are those of ${recognition}; declared is ${media.type}.`,
      }),
    );
  } else if (!media.recognisedAs.includes(recognition)) {
    found.push(
      certain('SAFE-TYPE-MISMATCH', {
        subject: 'media type',
        summary: `The file is not what its name says: ${media.type} is declared, the content is ${recognition}.`,
        severityReasoning: `Recognised by its bytes: ${recognition}; honest files of ${media.type} are recognised as ${media.recognisedAs.join(', ')}.`,
      }),
    );
  } else if (isText && textFlaw) {
    const said = {
      subject: 'text with binary content',
      summary: 'The text holds bytes that are no text.',
      severityReasoning: `${textFlaw.kind === 'nul' ? 'A NUL' : 'Bytes that are no characters'} between byte ${textFlaw.offset} and ${textFlaw.offset + textWindowBytes}.`,
    };
    // A slip of a single tool's encoding looks like this too; a NUL does not.
    found.push((textFlaw.kind === 'nul' ? certain : uncertain)('SAFE-TEXT-BINARY', said));
  }
  return [...found, ...judgeForeign(evidence, isText, media)];
}

function judgeForeign(evidence: KindEvidence, isText: boolean, media: Declared['media']): Finding<RuleCode>[] {
  const { recognition, foreignContent, pdfContent, zipContent } = evidence;
  const { opening, scriptInHead, appended } = foreignContent;
  const found: Finding<RuleCode>[] = [];
  const second = (kind: string, where: string, reasoning: string, isCertain = true) =>
    found.push(
      (isCertain ? certain : uncertain)('SAFE-POLYGLOT', {
        subject: `${kind} ${where}`,
        summary: `Beside what it is declared as, the file is also ${kind}, ${where}.`,
        severityReasoning: reasoning,
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
      `A PDF header at byte ${pdfContent.headerAt} of a file recognised as ${recognition}, with ${count(pdfContent.objectCount, 'object')}.`,
    );
  }
  if (zipContent && !zipContent.beginsFile) {
    second(
      'a zip archive',
      'at its end',
      `A zip directory of ${count(zipContent.entries.length, 'entry', 'entries')} ends the file: ${quoteNames(zipContent.entries.map(({ name }) => name))}.`,
    );
  } else if (appended?.kind && !appended.isFromCamera) {
    second(appended.kind, 'behind the picture', `${count(appended.sizeBytes, 'byte')} after the end of the image.`);
  } else if (appended && isUnexplained(appended)) {
    found.push(
      uncertain('SAFE-APPENDED-DATA', {
        subject: 'data behind the picture',
        summary: `${mebibytes(appended.sizeBytes)} of data of no known kind follow the end of the picture.`,
        severityReasoning: `${count(appended.sizeBytes, 'byte')} after the end of the image, of no kind known here.`,
        measured: appended.sizeBytes,
        limit: appendedBytesMin,
        unit: 'B',
      }),
    );
  }
  if (scriptInHead && media.category !== 'document') {
    second(scriptInHead, 'among its metadata', `${scriptInHead} within the first 64 KiB.`);
  }
  // People do send scripts as text to be read.
  if (isText && opening) second(opening, 'by its first words', `The text begins as ${opening}.`, false);
  return found;
}

function isUnexplained(appended: NonNullable<Evidence['foreignContent']['appended']>): boolean {
  return appended.sizeBytes >= appendedBytesMin && !appended.isPadding && !appended.isFromCamera;
}
