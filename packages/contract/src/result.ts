import { z } from 'zod';
import {
  CompactIssue,
  type DecisionReason,
  decisionReasons,
  Issue,
  issueStatuses,
  lastingStatuses,
  Reason,
} from './issue.ts';
import { issuesPage, seriesPointsMax } from './limits.ts';
import { text } from './member.ts';
import { anyOf, cursor, pageLimit, pageMembers } from './page.ts';
import { type SeriesName, seriesUnits } from './series.ts';
import { severities } from './severity.ts';
import { statuses } from './submission.ts';

const time = z.iso.datetime();

/** What was looked for: without it, no findings could mean that nobody looked. */
export const Check = z
  .object({
    sidekickId: z.uuid(),
    sidekickName: z.string().meta({ description: 'Its name, or its id once the service no longer has it.' }),
    version: z.string(),
    profile: z.string(),
    outcome: z.enum(['ran', 'not_applicable']),
    omittedCount: z.int().min(0).meta({ description: 'Findings left out, as an asset carries at most 1000.' }),
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
    totalCount: z.int().min(0).meta({ description: 'How many the filters leave, over all pages.' }),
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
      description: `Why, in one word that fits the status: ${reasonsByStatus()}.`,
    }),
    note: text(2000).nullish().meta({ description: 'Why, in your words. Left out: the note before is cleared.' }),
    carriesOver: z.boolean().optional().meta({
      description:
        'Whether the decision holds for the same finding in the next version, if it is no worse there. For ACKNOWLEDGED and DISMISSED only, and true by default.',
    }),
  })
  .refine(({ status, reason }) => !reason || decisionReasons[reason] === status, {
    path: ['reason'],
    message: `The reason does not fit the status. Fitting: ${reasonsByStatus()}.`,
  })
  .refine(({ status, carriesOver }) => !carriesOver || lastingStatuses.includes(status), {
    path: ['carriesOver'],
    message: `Only ${lastingStatuses.join(' and ')} can carry over to the next version.`,
  })
  .meta({ id: 'IssueStatusRequest' });

function reasonsByStatus(): string {
  const reasons = Object.keys(decisionReasons) as DecisionReason[];
  return [...Map.groupBy(reasons, (reason) => decisionReasons[reason])]
    .map(([status, names]) => `${names.join(', ')} (${status})`)
    .join('; ');
}

// §2.5: a topic groups two or more related issues; issues on their own are normal.
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
        stepMs: z.number().positive().meta({ description: 'The n-th value, from 0, begins at n times this.' }),
        values: z
          .array(z.number().nullable())
          .max(seriesPointsMax)
          .meta({ description: 'Null where there is nothing to measure, such as the loudness of digital silence.' }),
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
      .meta({ description: 'The newest earlier version that is complete; null when there is none, and all is new.' }),
    newIssues: z.array(CompactIssue),
    goneIssues: z.array(CompactIssue),
    keptIssues: z.array(CompactIssue),
  })
  .meta({ id: 'Changes' });
