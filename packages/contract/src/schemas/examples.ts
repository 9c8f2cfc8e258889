import { assetFailures } from '../asset-failures.ts';
import { noVerdict } from '../no-verdict.ts';

/** Values shared by several examples, so that they are consistent. */
export const exampleWorkspaceId = '0190a5c2-7b1e-7cc3-98c4-dc0c0c07398f';
export const exampleBlobPath = `${exampleWorkspaceId}/0190a5c3-1d2f-7a55-b0b4-2f1d5a0e9c11-spring-ad.mp4`;
export const exampleSubmissionId = '0190a5c5-02c4-7b3a-9f0e-3f6d6a1b2c3d';
export const exampleAssetId = '0190a5c5-02c4-7f10-8a55-9b1c2d3e4f50';
export const exampleVersionGroupId = '0190a5c5-02c4-7a0c-b7d1-0a1b2c3d4e5f';
export const exampleIssueId = '0190a5c6-4f11-7c2e-8d3a-5e6f7a8b9c0d';
export const exampleSidekickId = '640785f0-005a-4058-92f5-c56e81aa96a5';
export const exampleProfileId = '0190a5c2-9c2f-7e51-8d22-3b4c5d6e7f80';
export const exampleKeyId = '0190a5c2-7b1e-7d40-8c11-2a3b4c5d6e7f';
export const exampleSubscriptionId = '0190a5c7-11aa-7d20-9c3b-8e7f6a5b4c3d';
export const exampleDeliveryId = '0190a5c8-22bb-7e31-8d4c-9f8a7b6c5d4e';
export const exampleEventId = '0190a5c8-22bb-7a42-9e5d-0a9b8c7d6e5f';
/** Deliberately unlike a real ticket, because secret scanners would report one. */
export const exampleTicket = `${exampleKeyId}.1767605472.…`;
export const exampleContentSha256 = '5d41a2c9f3be07e68b14d09c7fa2635e81c4b7d60e9f3a25b8c7d41e6f092a3b';
export const exampleTime = '2026-01-05T09:30:00.000Z';
export const exampleCompletedAt = '2026-01-05T09:31:12.000Z';

/** The place of the same issue in the previous version. */
export const exampleIssuePlace = {
  submissionId: '0190a1f0-5b21-7c4d-8e6f-1a2b3c4d5e6f',
  assetId: '0190a1f0-5b21-7d5e-9f70-2b3c4d5e6f70',
  issueId: '0190a1f1-6c32-7e6f-8a81-3c4d5e6f7081',
} as const;
export const examplePosterUrl = `/api/integrations/submissions/${exampleSubmissionId}/assets/${exampleAssetId}/poster`;
export const exampleStillUrl = `/api/integrations/submissions/${exampleSubmissionId}/assets/${exampleAssetId}/issues/${exampleIssueId}/evidence/1`;

export const exampleCompactIssue = {
  id: exampleIssueId,
  referenceNumber: 1,
  ruleCode: 'SAFE-PDF-JAVASCRIPT',
  summary: 'The document runs JavaScript when it is opened.',
  severity: 'MAJOR',
  status: 'OPEN',
} as const;

export const exampleIssue = {
  ...exampleCompactIssue,
  createdAt: exampleCompletedAt,
  updatedAt: exampleCompletedAt,
  sidekickId: exampleSidekickId,
  severityReasoning: '1 JavaScript action, reached from /OpenAction.',
  severityReasoningHeadline: 'The document runs scripts on the reader’s device.',
  precedents: [],
  confidence: 1,
  measured: 1,
  limit: 0,
  unit: 'actions',
  standard: { name: 'ISO 32000-1:2008', clause: '12.6.4.16', isVerified: false },
  locations: [],
  evidence: [],
  statusNote: null,
  statusReason: null,
  statusChangedAt: null,
  previousDecision: null,
} as const;

export const exampleTopic = {
  id: 'd6f3c1de-1b8c-5e0f-9a57-3c2f1f0b7a44',
  title: 'Active content: 2 issues',
  summary: 'The document runs JavaScript when it is opened. 1 more issue.',
  severity: 'MAJOR',
  issueCount: 2,
  issueIds: [exampleIssueId, '0190a5c6-4f11-7c2e-8d3a-5e6f7a8b9c0e'],
  issues: [
    exampleCompactIssue,
    {
      ...exampleCompactIssue,
      id: '0190a5c6-4f11-7c2e-8d3a-5e6f7a8b9c0e',
      referenceNumber: 2,
      ruleCode: 'SAFE-PDF-AUTOMATIC-ACTION',
      summary: 'The document runs an action when it is opened.',
    },
  ],
  ruleCodes: ['SAFE-PDF-AUTOMATIC-ACTION', 'SAFE-PDF-JAVASCRIPT'],
  sidekickIds: [exampleSidekickId],
} as const;

export const exampleVersionedAsset = {
  assetId: exampleAssetId,
  versionGroupId: exampleVersionGroupId,
  versionNumber: 1,
} as const;

export const exampleVerdict = {
  verdict: 'failed',
  severityCounts: { critical: 0, major: 1, minor: 1, info: 0 },
  statusCounts: { open: 2, acknowledged: 0, awaitingHumanInput: 0, resolved: 0, dismissed: 0 },
  blockingCount: 1,
  reviewCount: 0,
  waivedCount: 0,
} as const;

export const exampleAsset = {
  ...exampleVersionedAsset,
  filename: 'spring-ad.mp4',
  status: 'complete',
  progressPercent: 100,
  issueCount: 2,
  ...exampleVerdict,
  errorMessage: null,
  errorType: null,
  isRetryable: false,
  retryCount: 0,
} as const;

export const examplePinnedProfile = {
  profileId: exampleProfileId,
  name: 'our-podcasts',
  revision: 2,
  failOn: 'MAJOR',
  allowIncomplete: [],
} as const;

/** One of the two assets is complete, the other is being analysed. */
export const exampleAssetUpdate = { ...exampleAsset, submissionId: exampleSubmissionId } as const;

export const exampleSubmissionUpdate = {
  submissionId: exampleSubmissionId,
  workflowId: `submission:${exampleSubmissionId}:1`,
  workspaceId: exampleWorkspaceId,
  mode: 'live',
  status: 'processing',
  progressPercent: 75,
  createdAt: exampleTime,
  completedAt: null,
  errorMessage: null,
  isRetryable: false,
  ...noVerdict,
  profile: examplePinnedProfile,
  metadata: { campaign: 'spring' },
} as const;

const exampleEventAsset = {
  asset_id: exampleAssetId,
  submission_id: exampleSubmissionId,
  workspace_id: exampleWorkspaceId,
  version_group_id: exampleVersionGroupId,
  version_number: 1,
  retry_count: 0,
  client_reference: 'order-1042',
} as const;

const exampleEventProfile = { name: 'general', revision: 1, fail_on: 'MAJOR' } as const;

const exampleEventVerdict = {
  severity_counts: { critical: 0, major: 1, minor: 1, info: 0 },
  verdict: 'failed',
  status_counts: { open: 2, acknowledged: 0, awaiting_human_input: 0, resolved: 0, dismissed: 0 },
  blocking_count: 1,
  review_count: 0,
  waived_count: 0,
  profile: exampleEventProfile,
} as const;

export const exampleCompletedEvent = {
  id: exampleEventId,
  type: 'asset.processing.completed',
  timestamp: exampleCompletedAt,
  livemode: true,
  data: {
    ...exampleEventAsset,
    status: 'complete',
    issue_count: 2,
    ...exampleEventVerdict,
    completed_at: exampleCompletedAt,
  },
} as const;

export const exampleFailedEvent = {
  id: exampleEventId,
  type: 'asset.processing.failed',
  timestamp: exampleCompletedAt,
  livemode: true,
  data: {
    ...exampleEventAsset,
    status: 'failed',
    error_message: assetFailures.corrupt_media.message,
    error_type: 'corrupt_media',
    is_retryable: false,
    verdict: 'not_checked',
    severity_counts: null,
    status_counts: null,
    blocking_count: null,
    review_count: null,
    waived_count: null,
    profile: exampleEventProfile,
    failed_at: exampleCompletedAt,
  },
} as const;

export const exampleVerdictChangedEvent = {
  id: exampleEventId,
  type: 'asset.verdict.changed',
  timestamp: exampleCompletedAt,
  livemode: true,
  data: {
    ...exampleEventAsset,
    previous_verdict: 'failed',
    ...exampleEventVerdict,
    verdict: 'passed_with_waivers',
    status_counts: { open: 1, acknowledged: 0, awaiting_human_input: 0, resolved: 0, dismissed: 1 },
    blocking_count: 0,
    waived_count: 1,
    cause: 'decision',
    issue_id: exampleIssueId,
    actor: { kind: 'api_key', id: exampleKeyId },
    changed_at: exampleCompletedAt,
  },
} as const;

export const exampleFinishedEvent = {
  id: exampleEventId,
  type: 'submission.processing.finished',
  timestamp: exampleCompletedAt,
  livemode: true,
  data: {
    submission_id: exampleSubmissionId,
    workspace_id: exampleWorkspaceId,
    client_reference: 'order-1042',
    status: 'complete',
    ...exampleEventVerdict,
    finished_at: exampleCompletedAt,
  },
} as const;
