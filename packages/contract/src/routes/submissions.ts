import { assetFailures } from '../asset-failures.ts';
import type { Route } from '../route.ts';
import {
  exampleAsset,
  exampleBlobPath,
  exampleEnd,
  exampleSubmissionId,
  exampleTime,
  exampleVersionedAsset,
  exampleWorkspaceId,
} from '../schemas/examples.ts';
import {
  CreatedSubmission,
  RetryRequest,
  Submission,
  SubmissionList,
  SubmissionListQuery,
  SubmissionQuery,
  SubmissionRequest,
  VersionList,
  VersionListQuery,
} from '../schemas/submission.ts';

const exampleSubmission = {
  submissionId: exampleSubmissionId,
  workflowId: `submission:${exampleSubmissionId}:1`,
  workspaceId: exampleWorkspaceId,
  mode: 'live',
  status: 'complete',
  progressPercent: 100,
  createdAt: exampleTime,
  completedAt: exampleEnd,
  errorMessage: null,
  isRetryable: false,
  metadata: { campaign: 'spring' },
  assets: [exampleAsset],
} as const;

const createdSubmission = {
  submissionId: exampleSubmissionId,
  workflowId: `submission:${exampleSubmissionId}:1`,
  realtimeChannel: `submission.${exampleSubmissionId}`,
  status: 'submitted',
  assets: [{ ...exampleVersionedAsset, previousAssetId: null, matchedBy: null }],
} as const;

const toSubmission = { parameters: { submission_id: '$response.body#/submissionId' } } as const;
const toAsset = {
  parameters: { submission_id: '$response.body#/submissionId', asset_id: '$response.body#/assets/0/assetId' },
} as const;

export const submissionRoutes = {
  createSubmission: {
    method: 'POST',
    path: '/submissions',
    bucket: 'submission_write',
    tag: 'Submissions',
    summary: 'Submit uploaded files for analysis',
    description:
      'Submits 1 to 50 uploaded files and queues each for analysis. With a sandbox key nothing is analysed and no credits are used; the submission is complete after `simulationDelaySeconds`.',
    query: SubmissionQuery,
    sandboxQuery: 'simulationDelaySeconds',
    body: SubmissionRequest,
    isIdempotent: true,
    location: '/submissions/{submissionId}',
    success: { status: 201, description: 'The submission is registered and queued.', body: CreatedSubmission },
    refusals: [
      'invalid_blob_path',
      'previous_submission_not_found',
      'asset_too_large',
      'content_type_not_allowed',
      'content_type_mismatch',
      'blob_archived',
      'blob_not_uploaded',
      'duplicate_blob_path',
      'ambiguous_previous_version',
      'duplicate_previous_version',
      'unknown_sidekick',
      'storage_unavailable',
    ],
    examples: {
      request: { assets: [{ blobPath: exampleBlobPath }], metadata: { campaign: 'spring' } },
      response: createdSubmission,
    },
    links: {
      getSubmission: toSubmission,
      cancelSubmission: toSubmission,
      deleteSubmission: toSubmission,
      retryAsset: toAsset,
      listVersions: toSubmission,
      getAsset: toAsset,
      listIssues: toAsset,
      getTopics: toAsset,
      getChanges: toAsset,
    },
  },
  listSubmissions: {
    method: 'GET',
    path: '/submissions',
    bucket: 'submission_read',
    tag: 'Submissions',
    summary: 'List submissions, newest first',
    description: 'The submissions of the workspace, page by page.',
    query: SubmissionListQuery,
    success: { status: 200, description: 'One page.', body: SubmissionList },
    refusals: [],
    examples: { response: { submissions: [exampleSubmission], nextCursor: null, hasMore: false } },
  },
  getSubmission: {
    method: 'GET',
    path: '/submissions/{submission_id}',
    bucket: 'submission_read',
    tag: 'Submissions',
    summary: 'Read a submission',
    description: 'Poll it until `status` is `complete` or `failed`.',
    hasEtag: true,
    success: { status: 200, description: 'The submission with the status of each asset.', body: Submission },
    refusals: ['submission_not_found'],
    examples: { response: exampleSubmission },
  },
  deleteSubmission: {
    method: 'DELETE',
    path: '/submissions/{submission_id}',
    bucket: 'submission_write',
    tag: 'Submissions',
    summary: 'Delete a finished submission',
    description:
      'Deletes the file names, metadata and issues of the submission immediately, and its media within a minute. A file that other submissions also use is deleted with the last of those submissions. Version numbers are not reused.',
    success: { status: 204, description: 'The submission is deleted.' },
    refusals: ['live_submission', 'submission_not_found', 'submission_in_progress'],
    examples: {},
  },
  cancelSubmission: {
    method: 'POST',
    path: '/submissions/{submission_id}/cancel',
    bucket: 'submission_write',
    tag: 'Submissions',
    summary: 'Cancel a submission',
    description:
      'Every unfinished asset fails with the errorType `cancelled` and can be retried later. Finished assets do not change.',
    success: {
      status: 202,
      description: 'The submission; its processing is being stopped.',
      body: Submission,
    },
    refusals: ['live_submission', 'submission_not_found', 'submission_settled'],
    examples: {
      response: {
        ...exampleSubmission,
        status: 'failed',
        progressPercent: 50,
        errorMessage: '1 of 1 asset failed',
        isRetryable: true,
        assets: [
          {
            ...exampleSubmission.assets[0],
            status: 'failed',
            progressPercent: 50,
            issueCount: null,
            errorMessage: assetFailures.cancelled.message,
            errorType: 'cancelled',
            isRetryable: true,
          },
        ],
      },
    },
  },
  retryAsset: {
    method: 'POST',
    path: '/submissions/{submission_id}/assets/{asset_id}/retry',
    bucket: 'submission_write',
    tag: 'Submissions',
    summary: 'Retry a failed asset',
    description:
      'Queues a failed asset again if its `isRetryable` is true, up to 3 times. The other assets of the submission do not change.',
    body: RetryRequest,
    isBodyOptional: true,
    isIdempotent: true,
    success: { status: 202, description: 'The retry is accepted and queued.', body: CreatedSubmission },
    refusals: [
      'submission_not_found',
      'asset_not_found',
      'asset_not_failed',
      'asset_not_retryable',
      'retry_limit_reached',
      'retry_in_flight',
    ],
    examples: {
      request: {},
      response: { ...createdSubmission, workflowId: `submission:${exampleSubmissionId}:2` },
    },
    links: { getSubmission: toSubmission, cancelSubmission: toSubmission },
  },
  listVersions: {
    method: 'GET',
    path: '/submissions/{submission_id}/versions',
    bucket: 'submission_read',
    tag: 'Submissions',
    summary: 'List all versions of a submission’s assets',
    description: 'Every version of every asset in the submission.',
    query: VersionListQuery,
    success: { status: 200, description: 'One page.', body: VersionList },
    refusals: ['submission_not_found'],
    examples: {
      response: {
        submissionId: exampleSubmissionId,
        versions: [
          {
            ...exampleVersionedAsset,
            submissionId: exampleSubmissionId,
            mode: 'live',
            filename: 'spring-ad.mp4',
            status: 'complete',
            issueCount: 2,
            createdAt: exampleTime,
            completedAt: exampleEnd,
          },
        ],
        nextCursor: null,
        hasMore: false,
      },
    },
  },
} as const satisfies Record<string, Route>;
