import type { CompactIssue, Issue, IssueDecision } from '@assay/contract/schemas/issue.ts';
import type { DecisionRow } from './decisions/decision-store.ts';
import type { AssetKey, IssueRow } from './store.ts';

/** §2.4: the compact form of an issue. */
export function presentCompactIssue(row: IssueRow): CompactIssue {
  const { issueId: id, referenceNumber, ruleCode, summary, severity, status } = row;
  return { id, referenceNumber, ruleCode, summary, severity, status };
}

/** `prefix` is the path prefix of the request, which the links in the response get too. */
export function presentIssue(row: IssueRow, { submissionId, assetId }: AssetKey, prefix: string): Issue {
  const path = `${prefix}/submissions/${submissionId}/assets/${assetId}/issues/${row.issueId}/evidence`;
  return {
    ...presentCompactIssue(row),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    sidekickId: row.sidekickId,
    severityReasoning: row.severityReasoning,
    severityReasoningHeadline: row.severityReasoningHeadline,
    precedents: [...row.precedents],
    confidence: row.confidence,
    measured: row.measured,
    limit: row.limitValue,
    unit: row.unit,
    // Issues of previous versions were stored without `isVerified`.
    standard: row.standard && { ...row.standard, isVerified: row.standard.isVerified ?? null },
    locations: row.locations,
    evidence: row.evidence.map(({ timeMs, frames }, i) => {
      return { kind: 'image', url: `${path}/${i + 1}`, timeMs, ...(frames && { frames }) };
    }),
    statusNote: row.statusNote,
    statusReason: row.statusReason,
    statusChangedAt: row.statusChangedAt?.toISOString() ?? null,
    previousDecision: row.previousDecision,
  };
}

export function presentDecision(row: DecisionRow): IssueDecision {
  return {
    decidedAt: row.decidedAt.toISOString(),
    actor: { kind: row.actorKind, id: row.actorId },
    from: row.fromStatus,
    to: row.toStatus,
    reason: row.reason,
    note: row.note,
    carriesOver: row.carriesOver,
    carriedFrom: row.carriedFrom,
  };
}
