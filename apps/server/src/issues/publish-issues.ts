import { randomUUIDv7 } from 'node:crypto';
import type { WorkspaceId } from '../access/caller.ts';
import type { Db } from '../handles/db.ts';
import { findPreviousVersion, takeReferenceNumbers } from '../submissions/store.ts';
import { matchIssues } from './match-issues.ts';
import { type AssetKey, findIssues, type IssueRow, insertIssues, type KeptFinding } from './store.ts';

type Version = AssetKey & { versionGroupId: string; versionNumber: number };

/** Decisions that hold for the same finding in the next version too. */
const lastingDecisions = ['ACKNOWLEDGED', 'DISMISSED'];

/** Makes issues of findings: one that the previous version had keeps its number, and what a reviewer decided of it. */
export async function publishIssues(
  db: Db,
  workspaceId: WorkspaceId,
  version: Version,
  findings: KeptFinding[],
  now: Date,
): Promise<IssueRow[]> {
  if (findings.length === 0) return [];
  const previous = await findPreviousVersion(db, workspaceId, version);
  const known = matchIssues(previous ? await findIssues(db, workspaceId, previous) : [], findings);
  let next = await takeReferenceNumbers(db, workspaceId, version.versionGroupId, findings.length - known.size);
  const issues = findings.map((finding): IssueRow => {
    const before = known.get(finding);
    return {
      issueId: randomUUIDv7(),
      referenceNumber: before?.referenceNumber ?? next++,
      ...contentOf(finding),
      ...statusOf(finding, before),
      createdAt: now,
      updatedAt: now,
    };
  });
  await insertIssues(db, workspaceId, version, issues);
  return issues;
}

function contentOf(finding: KeptFinding) {
  return {
    ruleCode: finding.ruleCode,
    subject: finding.subject,
    sidekickId: finding.sidekickId,
    summary: finding.summary,
    severity: finding.severity,
    severityReasoning: finding.severityReasoning,
    severityReasoningHeadline: finding.headline,
    confidence: finding.confidence,
    measured: finding.measured ?? null,
    limitValue: finding.limit ?? null,
    unit: finding.unit ?? null,
    standard: finding.standard,
    precedents: finding.precedents,
    locations: finding.locations,
    evidence: finding.evidence,
  };
}

function statusOf({ isCertain }: KeptFinding, before: IssueRow | undefined) {
  if (before && lastingDecisions.includes(before.status)) {
    return { status: before.status, statusNote: before.statusNote, statusChangedAt: before.statusChangedAt };
  }
  const status = isCertain ? ('OPEN' as const) : ('AWAITING_HUMAN_INPUT' as const);
  return { status, statusNote: null, statusChangedAt: null };
}
