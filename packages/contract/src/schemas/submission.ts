import { z } from 'zod';
import { assetsPerSubmissionMax, simulationDelaySecondsMax, submissionsPage, versionsPage } from '../limits.ts';
import { optional } from './member.ts';
import { Metadata } from './metadata.ts';
import { anyOf, cursor, givenTime, pageLimit, pageMembers, wholeNumber } from './page.ts';

// §2.1. `uploading` is never produced: a submission is created after its assets are uploaded.
export const statuses = ['uploading', 'submitted', 'processing', 'complete', 'failed'] as const;
export type Status = (typeof statuses)[number];

const status = z.enum(statuses);
const percent = z.int().min(0).max(100);
const time = z.iso.datetime();

// §4.3: assets accept only these two fields; file name and type come from the upload.
export const SubmissionRequest = z
  .strictObject({
    assets: z
      .array(
        z.strictObject({
          blobPath: z.string().meta({ description: 'The `blobPath` that the upload returned.' }),
          previousSubmissionId: optional(z.string()).meta({
            description: 'The submission that contains the previous version of this asset.',
          }),
        }),
      )
      .min(1)
      .max(assetsPerSubmissionMax),
    sidekickIds: optional(z.array(z.guid()).max(100)).meta({
      description: 'Checks to run. Default: all default checks that apply to the file. An empty list runs no checks.',
    }),
    metadata: optional(Metadata),
  })
  .meta({ id: 'SubmissionRequest' });

/** §4.8 shows no body: no body, an empty one and `{}` are equivalent. */
export const RetryRequest = z.strictObject({}).meta({ id: 'RetryRequest' });

/** §8.3. An empty or `null` delay is none. */
export const SubmissionQuery = z.object({
  simulationDelaySeconds: z
    .preprocess(
      (value) => (value === '' || value === 'null' ? null : value),
      wholeNumber(0, simulationDelaySecondsMax).nullable(),
    )
    .default(0)
    .meta({ description: 'Sandbox key only: seconds until the submission is complete.' }),
});

/** How the previous version of an asset was found. */
export const waysToMatch = ['name', 'category', 'position'] as const;
export type MatchedBy = (typeof waysToMatch)[number];
const mode = z.enum(['live', 'sandbox']);

const versionedAsset = {
  assetId: z.uuid(),
  versionGroupId: z.uuid().meta({ description: 'Shared by all versions of one asset.' }),
  versionNumber: z.int().min(1),
};

export const CreatedSubmission = z
  .object({
    submissionId: z.uuid(),
    workflowId: z.string(),
    realtimeChannel: z.string(),
    status,
    assets: z
      .array(
        z.object({
          ...versionedAsset,
          previousAssetId: z.uuid().nullable().meta({
            description:
              'The asset in `previousSubmissionId` that this asset is a new version of. Also null for assets created before this field was recorded.',
          }),
          matchedBy: z.enum(waysToMatch).nullable().meta({
            description: 'How the previous asset was matched: by file name, category or position.',
          }),
        }),
      )
      .meta({ description: 'In the order of the request.' }),
  })
  .meta({ id: 'CreatedSubmission' });

// §2.2: failure fields are flat.
export const AssetStatus = z
  .object({
    ...versionedAsset,
    filename: z.string(),
    status,
    progressPercent: percent,
    issueCount: z.int().min(0).nullable().meta({ description: 'Null until results exist.' }),
    errorMessage: z.string().nullable(),
    errorType: z.string().nullable(),
    isRetryable: z.boolean(),
    retryCount: z.int().min(0),
  })
  .meta({ id: 'AssetStatus' });
export type AssetStatus = z.infer<typeof AssetStatus>;

// §2.1: the name is submissionId, never id.
export const Submission = z
  .object({
    submissionId: z.uuid(),
    workflowId: z.string().meta({ description: 'ID of the latest run in the workflow engine.' }),
    workspaceId: z.uuid(),
    mode,
    status,
    progressPercent: percent,
    createdAt: time,
    completedAt: time.nullable(),
    errorMessage: z.string().nullable(),
    isRetryable: z.boolean(),
    metadata: z.record(z.string(), z.unknown()),
    assets: z.array(AssetStatus),
  })
  .meta({ id: 'Submission' });
export type Submission = z.infer<typeof Submission>;

export const SubmissionList = z
  .object({ submissions: z.array(Submission), ...pageMembers })
  .meta({ id: 'SubmissionList' });

export const SubmissionListQuery = z.object({
  status: anyOf(status).optional(),
  mode: z
    .enum(['live', 'sandbox', 'all'])
    .optional()
    .meta({ description: 'Live or sandbox submissions, or `all`. Default: the mode of the API key.' }),
  createdAfter: givenTime.optional().meta({ description: 'Created after this time.' }),
  createdBefore: givenTime.optional().meta({ description: 'Created before this time.' }),
  limit: pageLimit(submissionsPage),
  cursor: cursor.optional(),
});

export const VersionList = z
  .object({
    submissionId: z.uuid(),
    versions: z.array(
      z.object({
        ...versionedAsset,
        submissionId: z.uuid(),
        mode,
        filename: z.string(),
        status,
        issueCount: z.int().min(0).nullable(),
        createdAt: time,
        completedAt: time.nullable(),
      }),
    ),
    ...pageMembers,
  })
  .meta({ id: 'VersionList' });

export const VersionListQuery = z.object({ limit: pageLimit(versionsPage), cursor: cursor.optional() });
