import type { CoverageKind, NotExaminedReason } from '@assay/contract/schemas/coverage.ts';
import { type BoundName, bounds, hitBounds } from '#evidence/bounded.ts';
import { notVerifiedFinding } from '#sidekick/rule-table.ts';
import type { Declared, Finding } from '#sidekick/sidekick.ts';
import { listFirst } from '#sidekick/words.ts';
import type { RuleCode } from './rules.ts';

type Unread = {
  subject: string;
  kind: CoverageKind;
  label: string;
  reason: NotExaminedReason;
  summary: string;
  severityReasoning: string;
};

/** A finding about a part of the file that was not examined. */
export function unreadFinding({ kind, label, reason, ...fields }: Unread): Finding<RuleCode> {
  return notVerifiedFinding('SAFE-NOT-VERIFIED', { kind, label, reason, share: null }, fields);
}

/** What each bound is about. Identifies the finding, so it must never change. */
function subjectOf(name: BoundName): string {
  if (name === 'zipEntries' || name === 'zipDirectoryBytes') return 'archive: directory';
  if (name.startsWith('nested')) return 'archive: embedded documents';
  if (name.startsWith('zip') || name.startsWith('relationship')) return 'archive: parts';
  if (name === 'pdfBytes') return 'PDF: size';
  if (name.startsWith('pdf')) return 'PDF: object streams';
  return name === 'textBytes' ? 'text: size' : 'image: size';
}

/** Reports every bound that was hit in the evidence: what is beyond it was not examined. */
export function judgeLimits<Kind extends string>(
  evidence: Readonly<Record<Kind, unknown>>,
  kinds: readonly Kind[],
  { media }: Declared,
): Finding<RuleCode>[] {
  // A video is read as text as well, but nothing follows from it.
  const isText = media.recognisedAs.includes('text');
  const hit = hitBounds(evidence, kinds).filter((name) => isText || name !== 'textBytes');
  const bySubject = Map.groupBy(hit, subjectOf);
  return [...bySubject].map(([subject, names]) => {
    const label = listFirst(names.map((name) => bounds[name].label));
    return unreadFinding({
      subject,
      kind: bounds[names[0] as BoundName].kind,
      label,
      reason: 'limit_reached',
      summary: `Part of the file exceeds what can be checked: ${label}. Review it manually.`,
      severityReasoning: `Limits reached: ${names.map((name) => bounds[name].label).join('; ')}`,
    });
  });
}

/** Gives findings with the same subject different ones: the first keeps it, the others add their reason. */
export function withDistinctSubjects(findings: readonly Finding<RuleCode>[]): Finding<RuleCode>[] {
  const seen = new Set<string>();
  return findings.map((finding) => {
    const { ruleCode, subject, notExamined } = finding;
    const isNew = !seen.has(`${ruleCode} ${subject}`);
    seen.add(`${ruleCode} ${subject}`);
    return isNew || !notExamined ? finding : { ...finding, subject: `${subject} (${notExamined.reason})` };
  });
}
