import type { Evidence } from '../../evidence/evidence.ts';
import type { PdfContent } from '../../evidence/pdf-content.ts';
import { certain, uncertain } from '../../rule-table.ts';
import type { Finding } from '../../sidekick.ts';
import { count } from '../../words.ts';
import type { RuleCode } from './rules.ts';

type Row = {
  ruleCode: RuleCode;
  of(counts: PdfContent['counts']): number;
  subject: string;
  one: string;
  many?: string;
};

const rows: Row[] = [
  { ruleCode: 'SAFE-PDF-JAVASCRIPT', of: (c) => c.javascript, subject: 'JavaScript', one: 'script' },
  {
    ruleCode: 'SAFE-PDF-LAUNCH',
    of: (c) => c.launch,
    subject: 'launch action',
    one: 'action that starts a program',
    many: 'actions that start a program',
  },
  {
    ruleCode: 'SAFE-PDF-AUTOMATIC-ACTION',
    of: automatic,
    subject: 'automatic action',
    one: 'place from which an action begins without a click',
    many: 'places from which an action begins without a click',
  },
  {
    ruleCode: 'SAFE-PDF-FORM-DATA',
    of: (c) => c.submitForm + c.importData,
    subject: 'form action',
    one: 'action that sends out or fetches form data',
    many: 'actions that send out or fetch form data',
  },
  {
    ruleCode: 'SAFE-PDF-EMBEDDED-FILE',
    of: embedded,
    subject: 'embedded file',
    one: 'attached file',
  },
  { ruleCode: 'SAFE-PDF-RICH-MEDIA', of: (c) => c.richMedia, subject: 'rich media', one: 'embedded player' },
  { ruleCode: 'SAFE-PDF-XFA', of: (c) => c.xfa, subject: 'XFA form', one: 'XFA form' },
];

/** What the document can do by itself, and what of it could not be seen. */
export function judgePdf({ pdfContent }: Pick<Evidence, 'pdfContent'>): Finding<RuleCode>[] {
  if (!pdfContent) return [];
  const { counts, bombs, unreadStreams, isWhole, objectCount } = pdfContent;
  const found = rows
    .map((row) => ({ ...row, met: row.of(counts) }))
    .filter(({ met }) => met > 0)
    .map(({ ruleCode, met, subject, one, many }) =>
      certain(ruleCode, {
        subject,
        summary: `The PDF contains ${count(met, one, many)}.`,
        severityReasoning: `Met ${count(met, 'time')} among ${count(objectCount, 'object')} and their object streams.`,
        measured: met,
        limit: 0,
        unit: 'occurrences',
      }),
    );
  if (bombs > 0) {
    found.push(
      certain('SAFE-PDF-BOMB', {
        subject: 'object streams',
        summary: 'A compressed part of the PDF grows without measure when it is opened.',
        severityReasoning: `${count(bombs, 'object stream')} beyond 16 MiB, or 64 MiB together; honest ones have less than one.`,
        measured: bombs,
        limit: 0,
        unit: 'streams',
      }),
    );
  }
  const isEncrypted = counts.encryption > 0;
  const reasons: [boolean, string, string][] = [
    [isEncrypted, 'encryption', 'The PDF is encrypted, so that scripts and attachments in it may not have been seen.'],
    [
      !isEncrypted && unreadStreams > 0,
      'object streams',
      'Parts of the PDF are damaged or packed so that they could not be looked into.',
    ],
    [!isWhole, 'size', 'The PDF is larger than what is looked at.'],
  ];
  return [
    ...found,
    ...reasons
      .filter(([applies]) => applies)
      .map(([, subject, summary]) =>
        uncertain('SAFE-NOT-VERIFIED', {
          subject: `PDF: ${subject}`,
          summary,
          severityReasoning: `Could not be verified: ${count(unreadStreams, 'object stream')} not read.`,
        }),
      ),
  ];
}

// Most PDFs open at a page by such an entry; it matters only where there is an action that could do harm.
function automatic(counts: PdfContent['counts']): number {
  const harmful = counts.javascript + counts.launch + counts.submitForm + counts.importData;
  return harmful > 0 ? counts.automatic : 0;
}

// The parts of an XFA form are typed as embedded files too, without being attached.
function embedded(counts: PdfContent['counts']): number {
  return counts.embeddedFile || (counts.xfa > 0 ? 0 : counts.embeddedStream);
}
