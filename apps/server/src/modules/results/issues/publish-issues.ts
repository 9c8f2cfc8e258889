import { randomUUIDv7 } from 'node:crypto';
import { notVerifiedRuleCodes } from '@assay/sidekicks/sidekick/catalogue.ts';
import type { WorkspaceId } from '#call/caller.ts';
import { allocateReferenceNumbers, findPreviousVersion } from '#modules/submissions/store.ts';
import type { Db } from '#platform/postgres/db.ts';
import { type DecisionRow, findNewestDecisions, insertCarriedDecisions } from '../decisions/decision-store.ts';
import { type InheritedDecision, inheritDecision } from '../decisions/inherit-decision.ts';
import { matchIssues } from '../matching/match-issues.ts';
import { type AssetKey, findIssues, type IssueRow, insertIssues, type StoredFinding } from '../store.ts';

type Version = AssetKey & {
  versionGroupId: string;
  versionNumber: number;
  contentSha256: Buffer;
  /** Sidekicks whose findings concern the bytes of the file: a decision on them does not apply to other bytes. */
  contentBoundSidekickIds: ReadonlySet<string>;
};

/**
 * Turns findings into issues. One that matches an earlier issue keeps its number, and its decision if it is no worse.
 */
export async function publishIssues(
  db: Db,
  workspaceId: WorkspaceId,
  version: Version,
  findings: StoredFinding[],
  now: Date,
): Promise<IssueRow[]> {
  if (findings.length === 0) return [];
  const previous = await findPreviousVersion(db, workspaceId, version);
  const known = matchIssues(previous ? await findIssues(db, workspaceId, previous) : [], findings);
  const inherit = previous && known.size > 0 ? await readInheritance(db, workspaceId, previous, version) : undefined;
  let next = await allocateReferenceNumbers(db, workspaceId, version.versionGroupId, findings.length - known.size);
  const carried: DecisionRow[] = [];
  const issues = findings.map((finding): IssueRow => {
    const before = known.get(finding);
    const issueId = randomUUIDv7();
    const content = contentOf(finding);
    const { decision, previousDecision = null } = (before && inherit?.(before, content)) ?? {};
    const initial = finding.isCertain ? 'OPEN' : 'AWAITING_HUMAN_INPUT';
    if (decision) carried.push({ ...decision, issueId, fromStatus: initial });
    return {
      issueId,
      referenceNumber: before?.referenceNumber ?? next++,
      ...content,
      status: decision?.toStatus ?? initial,
      statusNote: decision?.note ?? null,
      statusReason: decision?.reason ?? null,
      statusChangedAt: decision?.decidedAt ?? null,
      previousDecision,
      createdAt: now,
      updatedAt: now,
    };
  });
  await insertIssues(db, workspaceId, version, issues);
  await insertCarriedDecisions(db, workspaceId, version, carried);
  return issues;
}

type PreviousVersion = NonNullable<Awaited<ReturnType<typeof findPreviousVersion>>>;

/** Returns a function that derives the inherited decision of an issue from its match in the previous version. */
async function readInheritance(db: Db, workspaceId: WorkspaceId, previous: PreviousVersion, version: Version) {
  const decisions = await findNewestDecisions(db, workspaceId, previous);
  const { submissionId, assetId, versionNumber, contentSha256 } = previous;
  const isSameContent = contentSha256?.equals(version.contentSha256) ?? false;
  return (before: IssueRow, content: ReturnType<typeof contentOf>): InheritedDecision => {
    const source = { submissionId, assetId, issueId: before.issueId, versionNumber };
    const { ruleCode, sidekickId } = content;
    const isContentBound = version.contentBoundSidekickIds.has(sidekickId) || notVerifiedRuleCodes.has(ruleCode);
    const isAboutSameContent = isSameContent || !isContentBound;
    return inheritDecision(decisions.get(before.issueId), { ...before, source }, content, isAboutSameContent);
  };
}

function contentOf(finding: StoredFinding) {
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
