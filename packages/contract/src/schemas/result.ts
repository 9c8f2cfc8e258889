import { z } from 'zod';
import { issuesPage, seriesPointsMax } from '../limits.ts';
import { Coverage, checkOutcomes, exampleMeasuredValue, MeasuredValue, notApplicableReasons } from './coverage.ts';
import { exampleCompactIssue, exampleIssuePlace, exampleSidekickId, exampleTopic } from './examples.ts';
import { assetId, meaning, severity, sidekickId, submissionId, versionGroupId, versionNumber } from './fields.ts';
import {
  CompactIssue,
  carriedOverStatuses,
  type DecisionReason,
  decisionReasons,
  Issue,
  issueStatuses,
  Reason,
} from './issue.ts';
import { Media } from './media.ts';
import { storableText } from './member.ts';
import { cursor, pageLimit, pageMembers, repeatableParameter } from './page.ts';
import { type SeriesName, seriesUnits } from './series.ts';
import { severities } from './severity.ts';
import { assetCompletedAt, assetProgress, assetStatus, failureMembers, filename, issueCount } from './submission.ts';
import { assetVerdictMembers, SeverityCounts } from './verdict-members.ts';

const time = z.iso.datetime();

/** A check that ran or did not apply: an empty list of issues alone could mean that nothing was checked. */
export const Check = z
  .object({
    sidekickId,
    sidekickName: z
      .string()
      .meta({ description: 'Name of the check, or its ID if this service no longer has the check.' }),
    version: z.string().meta({ description: 'Version of the check that was used.' }),
    profile: z.string().meta({ description: 'Delivery profile whose limits were applied.' }),
    profileRevision: z.int().min(1).meta({
      description: 'Revision of the delivery profile. A revision never changes. Results from before revisions have 1.',
    }),
    shortName: z.string().meta({
      description: 'Stable name of the check, such as `loudness`, or its ID if this service no longer has the check.',
    }),
    outcome: z.enum(checkOutcomes).meta({
      description:
        '`ran` if everything that the check is about was examined; `incomplete` if something was not: see `coverage`; `not_applicable` if there was nothing to examine, such as the loudness of a video without audio.',
    }),
    reason: z
      .enum(notApplicableReasons)
      .nullable()
      .meta({
        description:
          'Why the check is `not_applicable`: the file has nothing of the kind, or the delivery profile sets nothing to compare with. Otherwise null, and in results from before this field existed.',
        examples: ['nothing_in_file'],
      }),
    coverage: Coverage.nullable().meta({
      description: 'What was examined and what was not. Null in results from before this field existed.',
    }),
    measured: z
      .array(MeasuredValue)
      .nullable()
      .meta({
        description:
          'What the check measured, with or without an issue: for Loudness, the values of every audio programme. Empty for other checks. Null in results from before this field existed.',
        examples: [[exampleMeasuredValue]],
      }),
    notVerifiedRuleCode: z
      .string()
      .nullable()
      .meta({
        description:
          'The rule whose issues say what the check did not examine; null if this service no longer has the check.',
        examples: ['LOUD-NOT-MEASURED'],
      }),
    issueCount: z.int().min(0).meta({ description: 'Number of issues of this check in the result.' }),
    omittedCount: z.int().min(0).meta({
      description:
        'Number of issues of this check that were left out, the least severe first: an asset can have up to 1,000.',
    }),
    omittedSeverityCounts: SeverityCounts.nullable().meta({
      description: 'The issues that were left out, by severity. Null in results from before this field existed.',
    }),
  })
  .meta({ id: 'Check', description: 'A check that was selected for an asset.' });

// §2.3
export const AssetResult = z
  .object({
    assetId,
    submissionId,
    filename,
    status: assetStatus,
    issues: z.array(CompactIssue).meta({
      description: 'The issues in compact form, ordered by reference number. Empty until the asset is complete.',
    }),
    mimeType: z.string().nullable().meta({ description: 'Content type of the file. The service always sets it.' }),
    issueCount,
    versionNumber,
    versionGroupId: versionGroupId.nullable().meta({
      description: 'Shared by all versions of one asset. The service always sets it.',
    }),
    sizeBytes: z.int().min(0).meta({ description: 'Size of the file in bytes.' }),
    contentSha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .nullable()
      .meta({
        description:
          'SHA-256 of the bytes that were examined, in lower-case hexadecimal. Null until the asset is complete, if it failed, and in the sandbox.',
      }),
    progressPercent: assetProgress,
    ...failureMembers,
    createdAt: time.meta({ description: 'When the asset was submitted.' }),
    completedAt: assetCompletedAt,
    ...assetVerdictMembers,
    media: Media.nullable().meta({
      description:
        'Technical facts of the file and its poster. Null until the asset is complete, if it failed, in the sandbox, for files without such facts, and in results from before this field existed. A part that no selected check reads is left empty.',
    }),
    checks: z.array(Check).meta({
      description:
        'The checks that were selected, whether or not they ran. Empty until the asset is complete, and in the sandbox.',
    }),
  })
  .meta({ id: 'AssetResult' });

export type AssetResult = z.infer<typeof AssetResult>;

export const IssueList = z
  .object({
    assetId,
    submissionId,
    issues: z.array(Issue).meta({ description: 'The issues of this page, ordered by reference number.' }),
    totalCount: z.int().min(0).meta({ description: 'Number of issues that match the filters, on all pages.' }),
    ...pageMembers,
  })
  .meta({ id: 'IssueList' });

export const IssueListQuery = z.object({
  severity: repeatableParameter(z.enum(severities))
    .optional()
    .meta({ description: 'Only issues of these severities. Can be repeated.', examples: [['CRITICAL', 'MAJOR']] }),
  status: repeatableParameter(z.enum(issueStatuses))
    .optional()
    .meta({ description: 'Only issues with these statuses. Can be repeated.', examples: [['OPEN']] }),
  sidekickId: repeatableParameter(z.guid())
    .optional()
    .meta({ description: 'Only issues that these checks found. Can be repeated.', examples: [[exampleSidekickId]] }),
  ruleCode: repeatableParameter(storableText(100))
    .optional()
    .meta({ description: 'Only issues of these rules. Can be repeated.', examples: [['SAFE-PDF-JAVASCRIPT']] }),
  limit: pageLimit(issuesPage),
  cursor: cursor.optional(),
});

export const IssueStatusRequest = z
  .strictObject({
    status: z.enum(issueStatuses).meta({ description: 'The new status of the issue.' }),
    reason: Reason.nullish().meta({
      description: `Reason for the decision; must match the status: ${reasonsByStatus()}.`,
    }),
    note: storableText(2000)
      .nullish()
      .meta({ description: 'Free-text note. If left out, the previous note is cleared.' }),
    carriesOver: z
      .boolean()
      .optional()
      .meta({
        description:
          'Whether the decision also applies to the same issue in the next version, unless the issue is worse there. Only for ACKNOWLEDGED and DISMISSED. Default: true.',
        examples: [false],
      }),
  })
  .refine(({ status, reason }) => !reason || decisionReasons[reason] === status, {
    path: ['reason'],
    message: `must match the status: ${reasonsByStatus()}.`,
  })
  .refine(({ status, carriesOver }) => !carriesOver || carriedOverStatuses.includes(status), {
    path: ['carriesOver'],
    message: `can only be true if status is ${carriedOverStatuses.join(' or ')}.`,
  })
  .meta({ id: 'IssueStatusRequest' });

function reasonsByStatus(): string {
  const reasons = Object.keys(decisionReasons) as DecisionReason[];
  return [...Map.groupBy(reasons, (reason) => decisionReasons[reason])]
    .map(([status, names]) => `${names.join(', ')} (${status})`)
    .join('; ');
}

const count = z.int().min(0);

const Topic = z.object({
  id: z
    .uuid()
    .meta({ description: 'ID of the topic. The same issues of an asset always form a topic with the same ID.' }),
  title: z.string().meta({
    description: 'What the issues are about, or their common cause if it is known, how many there are, and where.',
  }),
  summary: z.string().meta({ description: 'The summary of the most severe issue, and how many more there are.' }),
  severity: meaning(severity, 'The highest severity of its issues.'),
  issueCount: z.int().min(2).meta({ description: 'Number of issues in the topic.' }),
  issueIds: z.array(z.uuid()).meta({ description: 'IDs of its issues, ordered by reference number.' }),
  issues: z.array(CompactIssue).meta({ description: 'The same issues in compact form.' }),
  ruleCodes: z.array(z.string()).meta({ description: 'The rules of its issues, each once.' }),
  sidekickIds: z.array(z.uuid()).meta({ description: 'The checks that found its issues, each once.' }),
});

// §2.5: a topic groups two or more related issues. Issues need not belong to a topic.
export const Topics = z
  .object({
    assetId,
    topics: z.array(Topic).meta({
      description: 'Groups of issues that have the same cause, the most severe first. Empty if no issues are related.',
      examples: [[exampleTopic]],
    }),
    orphanIssues: z.array(CompactIssue).meta({
      description: 'The issues that belong to no topic, the most severe first.',
    }),
    metadata: z
      .object({
        generatedAt: time.meta({ description: 'When the issues were grouped, which is when the asset was completed.' }),
        algorithm: z.string().meta({ description: 'Name of the method that groups the issues.' }),
        algorithmVersion: z.string().meta({
          description: 'Version of the method. It changes whenever the same issues may be grouped differently.',
        }),
        totalIssueCount: count.meta({ description: 'Number of issues of the asset.' }),
        topicCount: count.meta({ description: 'Number of topics.' }),
        clusteredIssueCount: count.meta({ description: 'Number of issues that belong to a topic.' }),
        orphanIssueCount: count.meta({ description: 'Number of issues in `orphanIssues`.' }),
      })
      .meta({ description: 'How the issues were grouped, and counts.' }),
  })
  .meta({ id: 'Topics' });

export const Measurements = z
  .object({
    assetId,
    submissionId,
    durationMs: z.int().min(0).nullable().meta({
      description: 'Duration of the media in milliseconds. Null if it has none or nothing was measured.',
    }),
    frameRate: z.number().positive().nullable().meta({
      description:
        'Frames per second of the video, for timecodes. Null without video, and for assets completed before this field existed.',
    }),
    series: z
      .array(
        z.object({
          name: z.enum(Object.keys(seriesUnits) as [SeriesName, ...SeriesName[]]).meta({
            description:
              'What was measured: momentary or short-term loudness, level of the audio, silent share of each step, mean luminance (1 is reference white), or changes of luminance within a second (two are one flash).',
          }),
          unit: z.string().meta({ description: 'Unit of the values. A `share` is from 0 to 1.' }),
          stepMs: z
            .number()
            .positive()
            .meta({ description: 'Interval between values in milliseconds: value n (from 0) starts at n × stepMs.' }),
          values: z.array(z.number().nullable()).max(seriesPointsMax).meta({
            description:
              'The values, at equal intervals. Null where nothing can be measured, such as the loudness of digital silence.',
          }),
        }),
      )
      .meta({ description: 'One entry for each quantity. Empty without audio and video, and in the sandbox.' }),
  })
  .meta({ id: 'Measurements' });

export const Changes = z
  .object({
    assetId,
    submissionId,
    versionNumber,
    previous: z
      .object({
        submissionId: meaning(submissionId, 'The submission that contains the earlier version.'),
        assetId: meaning(assetId, 'The asset of the earlier version.'),
        versionNumber: meaning(versionNumber, 'The number of the earlier version.'),
      })
      .nullable()
      .meta({
        description:
          'The newest earlier version that is complete and was not simulated. Null if there is none: all issues are new.',
        examples: [
          { submissionId: exampleIssuePlace.submissionId, assetId: exampleIssuePlace.assetId, versionNumber: 1 },
        ],
      }),
    newIssues: z.array(CompactIssue).meta({ description: 'Issues that only this version has.' }),
    goneIssues: z.array(CompactIssue).meta({
      description: 'Issues that only the earlier version has, as they are there.',
      examples: [[exampleCompactIssue]],
    }),
    keptIssues: z.array(CompactIssue).meta({
      description: 'Issues that both versions have, as they are in this version.',
      examples: [[exampleCompactIssue]],
    }),
  })
  .meta({ id: 'Changes' });
