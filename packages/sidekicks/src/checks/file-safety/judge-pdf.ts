import type { Evidence } from '#evidence/evidence.ts';
import { inflatedBytesMax, type PdfContent } from '#evidence/file/pdf/pdf-content.ts';
import { formatBytes, formatCount } from '#sidekick/format-values.ts';
import { certainFinding } from '#sidekick/rule-table.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import type { RuleCode } from './rules.ts';
import { unreadFinding } from './unread.ts';

type PdfRule = {
  ruleCode: RuleCode;
  of(counts: PdfContent['counts']): number;
  subject: string;
  one: string;
  many?: string;
  remedy: string;
};

const pdfRules: PdfRule[] = [
  {
    ruleCode: 'SAFE-PDF-JAVASCRIPT',
    of: (c) => c.javascript,
    subject: 'JavaScript',
    one: 'script',
    remedy: 'Export the PDF without scripts.',
  },
  {
    ruleCode: 'SAFE-PDF-LAUNCH',
    of: (c) => c.launch,
    subject: 'launch action',
    one: 'action that starts a program',
    many: 'actions that start a program',
    remedy: 'Export the PDF without launch actions.',
  },
  {
    ruleCode: 'SAFE-PDF-AUTOMATIC-ACTION',
    of: automaticActionCount,
    subject: 'automatic action',
    one: 'action that runs without a click',
    many: 'actions that run without a click',
    remedy: 'Export the PDF without automatic actions.',
  },
  {
    ruleCode: 'SAFE-PDF-FORM-DATA',
    of: (c) => c.submitForm + c.importData,
    subject: 'form action',
    one: 'action that sends or imports form data',
    many: 'actions that send or import form data',
    remedy: 'Remove such actions unless the form needs them.',
  },
  {
    ruleCode: 'SAFE-PDF-EMBEDDED-FILE',
    of: attachmentCount,
    subject: 'embedded file',
    one: 'attached file',
    remedy: 'Deliver attachments as separate files, so that they are checked.',
  },
  {
    ruleCode: 'SAFE-PDF-RICH-MEDIA',
    of: (c) => c.richMedia,
    subject: 'rich media',
    one: 'embedded player',
    remedy: 'Deliver the media as separate files.',
  },
  {
    ruleCode: 'SAFE-PDF-XFA',
    of: (c) => c.xfa,
    subject: 'XFA form',
    one: 'XFA form',
    remedy: 'Export it as a plain PDF form.',
  },
];

/** Reports active content in a PDF, and parts that could not be checked. */
export function judgePdf({ pdfContent }: Pick<Evidence, 'pdfContent'>): Finding<RuleCode>[] {
  if (!pdfContent) return [];
  const { counts, bombs, objectCount } = pdfContent;
  const found = pdfRules
    .map((row) => ({ ...row, count: row.of(counts) }))
    .filter(({ count }) => count > 0)
    .map(({ ruleCode, count, subject, one, many, remedy }) =>
      certainFinding(ruleCode, {
        subject,
        summary: `The PDF contains ${formatCount(count, one, many)}. ${remedy}`,
        severityReasoning: `${formatCount(count, 'occurrence')} in ${formatCount(objectCount, 'object')}, including object streams`,
        measured: count,
        limit: 0,
        unit: 'occurrences',
      }),
    );
  if (bombs > 0) {
    found.push(
      certainFinding('SAFE-PDF-BOMB', {
        subject: 'object streams',
        summary: `The PDF has ${formatCount(bombs, 'object stream that expands', 'object streams that expand')} beyond the limit of ${formatBytes(inflatedBytesMax.stream)} per stream or ${formatBytes(inflatedBytesMax.file)} in total. Export the PDF again.`,
        severityReasoning: `${formatCount(bombs, 'object stream')} beyond the limit; ordinary object streams stay below 1.0 MiB`,
        measured: bombs,
        limit: 0,
        unit: 'streams',
      }),
    );
  }
  return [...found, ...judgeUnread(pdfContent)];
}

/** What could not be read. In an encrypted document, object streams cannot be read either. */
function judgeUnread({ counts, unreadStreams }: PdfContent): Finding<RuleCode>[] {
  const unread = unreadStreams.damaged + unreadStreams.unsupported;
  const attachments = attachmentCount(counts);
  const found: Finding<RuleCode>[] = [];
  if (counts.encryption > 0) {
    found.push(
      unreadFinding({
        subject: 'PDF: encryption',
        kind: 'pages',
        label: 'the encrypted content of the PDF',
        reason: 'encrypted',
        summary:
          'The PDF is encrypted; scripts and attachments in it may have been missed. Deliver it without encryption.',
        severityReasoning: `Encrypted; ${formatCount(unread, 'object stream')} not read`,
      }),
    );
  } else if (unread > 0) {
    found.push(
      unreadFinding({
        subject: 'PDF: object streams',
        kind: 'pages',
        label: formatCount(unread, 'object stream'),
        reason: unreadStreams.damaged > 0 ? 'damaged' : 'unsupported',
        summary:
          'Parts of the PDF are damaged or compressed in a way that cannot be read, and were not checked. Export it again.',
        severityReasoning: `${formatCount(unread, 'object stream')} not read`,
      }),
    );
  }
  if (attachments > 0) {
    found.push(
      unreadFinding({
        subject: 'PDF: embedded files',
        kind: 'embedded_file',
        label: formatCount(attachments, 'attached file'),
        reason: 'unsupported',
        summary: 'Files attached to the PDF were not checked. Deliver them as separate files.',
        severityReasoning: `${formatCount(attachments, 'attached file')} not opened`,
      }),
    );
  }
  return found;
}

// Most PDFs have an OpenAction that selects a page. It matters only if the document has a harmful action.
function automaticActionCount(counts: PdfContent['counts']): number {
  const harmful = counts.javascript + counts.launch + counts.submitForm + counts.importData;
  return harmful > 0 ? counts.automatic : 0;
}

// The parts of an XFA form also have the type EmbeddedFile, but are not attachments.
function attachmentCount(counts: PdfContent['counts']): number {
  return counts.embeddedFile || (counts.xfa > 0 ? 0 : counts.embeddedStream);
}
