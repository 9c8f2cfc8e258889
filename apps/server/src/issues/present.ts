import type { CompactIssue, Issue } from '@assay/contract/issue.ts';
import type { IssueRow } from './store.ts';

/** §2.4: the least that an issue carries. */
export function presentCompactIssue(row: IssueRow): CompactIssue {
  const { issueId: id, referenceNumber, ruleCode, summary, severity, status } = row;
  return { id, referenceNumber, ruleCode, summary, severity, status };
}

export function presentIssue(row: IssueRow): Issue {
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
    standard: row.standard,
    locations: row.locations,
    statusNote: row.statusNote,
    statusChangedAt: row.statusChangedAt?.toISOString() ?? null,
  };
}
