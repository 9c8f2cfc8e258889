import { z } from 'zod';
import {
  assetsPerSubmissionMax,
  blobPathBytesMax,
  clientReferenceCharactersMax,
  filenameBytesMax,
  retriesPerAssetMax,
  simulationDelaySecondsMax,
  submissionsPage,
  versionsPage,
} from '../limits.ts';
import { verdicts } from '../verdict.ts';
import { exampleCompletedAt, exampleIssuePlace, exampleSidekickId, exampleSubmissionId } from './examples.ts';
import { assetId, meaning, mode, submissionId, versionGroupId, versionNumber, workspaceId } from './fields.ts';
import { optional, storableText } from './member.ts';
import { Metadata } from './metadata.ts';
import {
  createdBetween,
  cursor,
  pageLimit,
  pageMembers,
  repeatableParameter,
  requestTime,
  wholeNumber,
} from './page.ts';
import { PinnedProfile } from './profiles/resource.ts';
import { assetVerdictMembers, submissionVerdictMembers } from './verdict-members.ts';

const time = z.iso.datetime();

// §2.1. `uploading` is never produced: a submission is created after its assets are uploaded.
export const statuses = ['uploading', 'submitted', 'processing', 'complete', 'failed'] as const;
export type Status = (typeof statuses)[number];

export const filename = z.string().meta({ description: 'Name of the file, as given when it was uploaded.' });
export const assetStatus = z.enum(statuses).meta({
  description:
    'When `complete`, results are available. When `failed`, `errorType` says why. `uploading` is not used: files are uploaded before they are submitted.',
});
export const assetProgress = z.int().min(0).max(100).meta({
  description: 'Progress of the analysis; 100 only if the asset is complete. A retry starts again at 0.',
});
export const issueCount = z.int().min(0).nullable().meta({
  description:
    'Number of issues. Null if there is no result: the asset is not finished, it failed, or it was only simulated in the sandbox.',
});
/** §2.2: the failure fields are members of the asset itself, not of a nested object. */
export const failureMembers = {
  errorMessage: z
    .string()
    .nullable()
    .meta({
      description: 'Why the asset failed and what to do, for humans. Null unless it failed.',
      examples: ['The analysis was cancelled. Retry the asset.'],
    }),
  errorType: z
    .string()
    .nullable()
    .meta({
      description: 'Why the asset failed, as a stable code. Null unless it failed.',
      examples: ['cancelled'],
    }),
  isRetryable: z.boolean().meta({
    description: `Whether this API key can retry the asset: it failed, a retry may help, and it was retried fewer than ${retriesPerAssetMax} times.`,
  }),
  retryCount: z
    .int()
    .min(0)
    .meta({
      description: `Number of retries requested so far, up to ${retriesPerAssetMax}. Automatic attempts within the service do not count.`,
    }),
};
export const assetCompletedAt = time.nullable().meta({
  description: 'When the asset became `complete` or `failed`. Null until then; a retry sets it back to null.',
});

const status = z.enum(statuses).meta({
  description:
    '`complete` when every asset is complete; `failed` when every asset is finished and at least one failed. Stop polling at either. `uploading` is not used.',
});
const createdAt = time.meta({ description: 'When the submission was created.' });
const workflowId = z.string().meta({
  description:
    'ID of the latest run in the workflow engine, where the operator can find it. Each retry starts a new run.',
});

// §4.3: an asset of a request has only these two fields; file name and type come from the upload.
export const SubmissionRequest = z
  .strictObject({
    assets: z
      .array(
        z.strictObject({
          blobPath: z.string().meta({
            description: `The \`blobPath\` that the upload returned, up to ${blobPathBytesMax} bytes in UTF-8. The file must be uploaded completely.`,
          }),
          previousSubmissionId: optional(z.string()).meta({
            description: 'The submission that contains the previous version of this asset.',
            examples: [exampleSubmissionId],
          }),
        }),
      )
      .min(1)
      .max(assetsPerSubmissionMax)
      .meta({ description: 'The files to analyse. Each can be submitted once per request.' }),
    sidekickIds: optional(z.array(z.guid()).max(100)).meta({
      description: 'Checks to run. Default: all default checks that apply to the file. An empty list runs no checks.',
      examples: [[exampleSidekickId]],
    }),
    metadata: optional(Metadata).meta({
      description:
        'Your own data about the submission, returned with it. `clientReference` is also sent in events, and `assay` selects the delivery profile.',
    }),
  })
  .meta({ id: 'SubmissionRequest' });

/** §4.8 shows no body: a missing body, an empty body and `{}` are equivalent. */
export const RetryRequest = z.strictObject({}).meta({ id: 'RetryRequest' });

/** §8.3: an empty delay or `null` counts as absent. */
export const SubmissionQuery = z.object({
  simulationDelaySeconds: z
    .preprocess(
      (value) => (value === '' || value === 'null' ? null : value),
      wholeNumber(0, simulationDelaySecondsMax).nullable(),
    )
    .default(0)
    .meta({ description: 'Sandbox key only: seconds until the submission is complete.', examples: [5] }),
});

/** How the previous version of an asset was found. */
export const matchMethods = ['name', 'category', 'position'] as const;
export type MatchedBy = (typeof matchMethods)[number];

const versionedAsset = { assetId, versionGroupId, versionNumber };

export const CreatedSubmission = z
  .object({
    submissionId,
    workflowId,
    realtimeChannel: z.string().meta({
      description: 'Channel of live updates: send it as `channel` to `GET /realtime`.',
    }),
    status: meaning(
      status,
      '`submitted` for a new submission. After a retry `processing`, if other assets are finished.',
    ),
    assets: z
      .array(
        z.object({
          ...versionedAsset,
          previousAssetId: z
            .uuid()
            .nullable()
            .meta({
              description:
                'The asset in `previousSubmissionId` that this asset is a new version of. Null for a first version, and for assets created before this field was recorded.',
              examples: [exampleIssuePlace.assetId],
            }),
          matchedBy: z.enum(matchMethods).nullable().meta({
            description:
              'How the previous asset was matched: by file name, category or position. Null if `previousAssetId` is null.',
          }),
        }),
      )
      .meta({ description: 'All assets of the submission, in the order of the request.' }),
  })
  .meta({ id: 'CreatedSubmission', description: 'A submission that was accepted and queued.' });

export const AssetStatus = z
  .object({
    ...versionedAsset,
    filename,
    status: assetStatus,
    progressPercent: assetProgress,
    issueCount,
    ...assetVerdictMembers,
    ...failureMembers,
  })
  .meta({ id: 'AssetStatus', description: 'The state of one asset of a submission.' });
export type AssetStatus = z.infer<typeof AssetStatus>;

// §2.1: the ID is called submissionId, never id.
export const Submission = z
  .object({
    submissionId,
    workflowId,
    workspaceId,
    mode,
    status,
    progressPercent: z.int().min(0).max(100).meta({
      description:
        'Mean progress of the assets, rounded down; 100 only if all are complete. A failed submission keeps the progress that it had reached.',
    }),
    createdAt,
    completedAt: time.nullable().meta({
      description: 'When the last asset was finished. Null until then; a retry sets it back to null.',
      examples: [exampleCompletedAt],
    }),
    errorMessage: z
      .string()
      .nullable()
      .meta({
        description: 'How many assets failed, for humans. Null unless the status is `failed`.',
        examples: ['1 of 2 assets failed'],
      }),
    isRetryable: z.boolean().meta({ description: 'Whether at least one asset can be retried.' }),
    ...submissionVerdictMembers,
    profile: PinnedProfile,
    metadata: z.record(z.string(), z.unknown()).meta({
      description: 'The metadata sent when the submission was created; empty if none was sent.',
    }),
    assets: z.array(AssetStatus).meta({ description: 'The assets, in the order of the request.' }),
  })
  .meta({ id: 'Submission', description: 'A submission and the state of its assets.' });
export type Submission = z.infer<typeof Submission>;

export const SubmissionList = z
  .object({
    submissions: z.array(Submission).meta({ description: 'The submissions of this page, newest first.' }),
    ...pageMembers,
  })
  .meta({ id: 'SubmissionList' });

export const SubmissionListQuery = z.object({
  status: repeatableParameter(z.enum(statuses))
    .optional()
    .meta({
      description: 'Only submissions in one of these states. Can be repeated.',
      examples: [['complete', 'failed']],
    }),
  mode: z
    .enum(['live', 'sandbox', 'all'])
    .optional()
    .meta({ description: 'Live or sandbox submissions, or `all`. Default: the mode of the API key.' }),
  verdict: repeatableParameter(z.enum(verdicts))
    .optional()
    .meta({
      description: 'Only submissions with one of these verdicts. Can be repeated.',
      examples: [['failed', 'needs_review']],
    }),
  profile: storableText(100)
    .min(1)
    .optional()
    .meta({
      description: 'Only submissions with this delivery profile, by ID or by name, whatever its revision.',
      examples: ['our-podcasts'],
    }),
  clientReference: storableText(clientReferenceCharactersMax)
    .optional()
    .meta({
      description: 'Only submissions whose `metadata.clientReference` is exactly this string.',
      examples: ['order-1042'],
    }),
  filename: storableText(filenameBytesMax)
    .min(1)
    .optional()
    .meta({
      description:
        'Only submissions with a file whose name begins with this text, in upper or lower case. They are listed by file name, and by creation, newest first, if the names are equal. Cannot be combined with `status`, `verdict`, `profile` and `clientReference`.',
      examples: ['spring-'],
    }),
  ...createdBetween(requestTime),
  limit: pageLimit(submissionsPage),
  cursor: cursor.optional(),
});

export const VersionList = z
  .object({
    submissionId: meaning(submissionId, 'The submission in the path.'),
    versions: z
      .array(
        z.object({
          ...versionedAsset,
          submissionId: meaning(submissionId, 'The submission that contains this version.'),
          mode,
          filename,
          status: meaning(assetStatus, 'Status of this version. When `complete`, results are available.'),
          issueCount,
          ...assetVerdictMembers,
          createdAt: time.meta({ description: 'When this version was submitted.' }),
          completedAt: assetCompletedAt,
        }),
      )
      .meta({ description: 'Ordered by `versionGroupId`, then by `versionNumber`.' }),
    ...pageMembers,
  })
  .meta({ id: 'VersionList' });

export const VersionListQuery = z.object({ limit: pageLimit(versionsPage), cursor: cursor.optional() });
