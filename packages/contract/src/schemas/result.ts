import { z } from 'zod';
import { issuesPage, seriesPointsMax } from '../limits.ts';
import {
  CompactIssue,
  type DecisionReason,
  decisionReasons,
  Issue,
  issueStatuses,
  lastingStatuses,
  Reason,
} from './issue.ts';
import { text } from './member.ts';
import { anyOf, cursor, pageLimit, pageMembers } from './page.ts';
import { type SeriesName, seriesUnits } from './series.ts';
import { severities } from './severity.ts';
import { statuses } from './submission.ts';

const time = z.iso.datetime();

/** A check that ran or did not apply: without it, an empty list of issues could mean that nothing was checked. */
export const Check = z
  .object({
    sidekickId: z.uuid(),
    sidekickName: z
      .string()
      .meta({ description: 'Name of the check, or its ID if this service no longer has the check.' }),
    version: z.string(),
    profile: z.string(),
    outcome: z.enum(['ran', 'not_applicable']),
    omittedCount: z
      .int()
      .min(0)
      .meta({ description: 'Number of issues left out, because an asset can have up to 1,000.' }),
  })
  .meta({ id: 'Check' });

// §2.3
export const AssetResult = z
  .object({
    assetId: z.uuid(),
    submissionId: z.uuid(),
    filename: z.string(),
    status: z.enum(statuses),
    issues: z.array(CompactIssue),
    mimeType: z.string().nullable(),
    issueCount: z.int().min(0).nullable(),
    versionNumber: z.int().min(1),
    versionGroupId: z.uuid().nullable(),
    sizeBytes: z.int().min(0),
    progressPercent: z.int().min(0).max(100),
    errorMessage: z.string().nullable(),
    errorType: z.string().nullable(),
    isRetryable: z.boolean(),
    retryCount: z.int().min(0),
    createdAt: time,
    completedAt: time.nullable(),
    checks: z.array(Check),
  })
  .meta({ id: 'AssetResult' });

export const IssueList = z
  .object({
    assetId: z.uuid(),
    submissionId: z.uuid(),
    issues: z.array(Issue),
    totalCount: z.int().min(0).meta({ description: 'Number of issues that match the filters, on all pages.' }),
    ...pageMembers,
  })
  .meta({ id: 'IssueList' });

export const IssueListQuery = z.object({
  severity: anyOf(z.enum(severities)).optional(),
  status: anyOf(z.enum(issueStatuses)).optional(),
  sidekickId: anyOf(z.guid()).optional(),
  ruleCode: anyOf(text(100)).optional(),
  limit: pageLimit(issuesPage),
  cursor: cursor.optional(),
});

export const IssueStatusRequest = z
  .strictObject({
    status: z.enum(issueStatuses),
    reason: Reason.nullish().meta({
      description: `Reason for the decision; must match the status: ${reasonsByStatus()}.`,
    }),
    note: text(2000).nullish().meta({ description: 'Free-text note. If left out, the previous note is cleared.' }),
    carriesOver: z.boolean().optional().meta({
      description:
        'Whether the decision also applies to the same issue in the next version, unless the issue is worse there. Only for ACKNOWLEDGED and DISMISSED. Default: true.',
    }),
  })
  .refine(({ status, reason }) => !reason || decisionReasons[reason] === status, {
    path: ['reason'],
    message: `must match the status: ${reasonsByStatus()}.`,
  })
  .refine(({ status, carriesOver }) => !carriesOver || lastingStatuses.includes(status), {
    path: ['carriesOver'],
    message: `can only be true if status is ${lastingStatuses.join(' or ')}.`,
  })
  .meta({ id: 'IssueStatusRequest' });

function reasonsByStatus(): string {
  const reasons = Object.keys(decisionReasons) as DecisionReason[];
  return [...Map.groupBy(reasons, (reason) => decisionReasons[reason])]
    .map(([status, names]) => `${names.join(', ')} (${status})`)
    .join('; ');
}

// §2.5: a topic groups two or more related issues; single issues are normal.
export const Topics = z
  .object({
    assetId: z.uuid(),
    topics: z.array(
      z.object({
        id: z.uuid(),
        title: z.string(),
        summary: z.string(),
        severity: z.enum(severities),
        issueCount: z.int().min(2),
        issueIds: z.array(z.uuid()),
        issues: z.array(CompactIssue),
        ruleCodes: z.array(z.string()),
        sidekickIds: z.array(z.uuid()),
      }),
    ),
    orphanIssues: z.array(CompactIssue),
    metadata: z.object({
      generatedAt: time,
      algorithm: z.string(),
      algorithmVersion: z.string(),
      totalIssueCount: z.int().min(0),
      topicCount: z.int().min(0),
      clusteredIssueCount: z.int().min(0),
      orphanIssueCount: z.int().min(0),
    }),
  })
  .meta({ id: 'Topics' });

export const Measurements = z
  .object({
    assetId: z.uuid(),
    submissionId: z.uuid(),
    durationMs: z.int().min(0).nullable(),
    series: z.array(
      z.object({
        name: z.enum(Object.keys(seriesUnits) as [SeriesName, ...SeriesName[]]),
        unit: z.string(),
        stepMs: z
          .number()
          .positive()
          .meta({ description: 'Interval between values: value n (from 0) starts at n × stepMs.' }),
        values: z
          .array(z.number().nullable())
          .max(seriesPointsMax)
          .meta({ description: 'Null where nothing can be measured, such as the loudness of digital silence.' }),
      }),
    ),
  })
  .meta({ id: 'Measurements' });

export const Changes = z
  .object({
    assetId: z.uuid(),
    submissionId: z.uuid(),
    versionNumber: z.int().min(1),
    previous: z
      .object({ submissionId: z.uuid(), assetId: z.uuid(), versionNumber: z.int().min(1) })
      .nullable()
      .meta({ description: 'The newest earlier version that is complete. Null if there is none: all issues are new.' }),
    newIssues: z.array(CompactIssue),
    goneIssues: z.array(CompactIssue),
    keptIssues: z.array(CompactIssue),
  })
  .meta({ id: 'Changes' });
