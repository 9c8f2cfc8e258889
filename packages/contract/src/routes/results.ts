import { seriesPointsMax } from '../limits.ts';
import type { Route } from '../route.ts';
import {
  exampleAssetId,
  exampleCompactIssue,
  exampleCompletedAt,
  exampleContentSha256,
  exampleIssue,
  exampleKeyId,
  exampleSidekickId,
  exampleSubmissionId,
  exampleTime,
  exampleVersionGroupId,
} from '../schemas/examples.ts';
import { Issue, IssueDetail } from '../schemas/issue.ts';
import {
  AssetResult,
  Changes,
  IssueList,
  IssueListQuery,
  IssueStatusRequest,
  Measurements,
  Topics,
} from '../schemas/result.ts';

const exampleDismissedIssue = {
  ...exampleIssue,
  status: 'DISMISSED',
  statusNote: 'The script only prints the page.',
  statusReason: 'false_alarm',
  statusChangedAt: exampleCompletedAt,
} as const;
const exampleDecision = {
  decidedAt: exampleCompletedAt,
  actor: { kind: 'api_key', id: exampleKeyId },
  from: 'OPEN',
  to: 'DISMISSED',
  reason: 'false_alarm',
  note: 'The script only prints the page.',
  carriesOver: true,
  carriedFrom: null,
} as const;

const assetRefusals = ['submission_not_found', 'asset_not_found'] as const;
const finishedAssetRefusals = [...assetRefusals, 'asset_not_ready', 'asset_failed'] as const;

const firstIssueParameters = {
  submission_id: '$response.body#/submissionId',
  asset_id: '$response.body#/assetId',
  issue_id: '$response.body#/issues/0/id',
} as const;

export const resultRoutes = {
  getAsset: {
    method: 'GET',
    path: '/submissions/{submission_id}/assets/{asset_id}',
    bucket: 'submission_read',
    tag: 'Results',
    summary: 'Read the result of one asset',
    description: 'Read the result when the asset is complete. Until then `issues` is empty and `issueCount` is null.',
    success: { status: 200, description: 'The asset with its issues in compact form.', body: AssetResult },
    refusals: assetRefusals,
    examples: {
      response: {
        assetId: exampleAssetId,
        submissionId: exampleSubmissionId,
        filename: 'leaflet.pdf',
        status: 'complete',
        issues: [exampleCompactIssue],
        mimeType: 'application/pdf',
        issueCount: 1,
        versionNumber: 1,
        versionGroupId: exampleVersionGroupId,
        sizeBytes: 48213,
        contentSha256: exampleContentSha256,
        progressPercent: 100,
        errorMessage: null,
        errorType: null,
        isRetryable: false,
        retryCount: 0,
        createdAt: exampleTime,
        completedAt: exampleCompletedAt,
        verdict: 'failed',
        severityCounts: { critical: 0, major: 1, minor: 0, info: 0 },
        statusCounts: { open: 1, acknowledged: 0, awaitingHumanInput: 0, resolved: 0, dismissed: 0 },
        blockingCount: 1,
        reviewCount: 0,
        waivedCount: 0,
        checks: [
          {
            sidekickId: exampleSidekickId,
            sidekickName: 'File safety',
            shortName: 'file-safety',
            version: '1.0.0',
            profile: 'general',
            profileRevision: 1,
            outcome: 'ran',
            reason: null,
            coverage: {
              examined: [{ kind: 'entries', label: 'objects of the PDF', quantity: 214, unit: 'objects' }],
              notExamined: [],
            },
            measured: [],
            notVerifiedRuleCode: 'SAFE-NOT-VERIFIED',
            issueCount: 1,
            omittedCount: 0,
            omittedSeverityCounts: { critical: 0, major: 0, minor: 0, info: 0 },
          },
        ],
      },
    },
  },
  listIssues: {
    method: 'GET',
    path: '/submissions/{submission_id}/assets/{asset_id}/issues',
    bucket: 'submission_read',
    tag: 'Results',
    summary: 'List the issues of an asset in full',
    description: 'Ordered by reference number. Each filter can be repeated and matches any of its values.',
    query: IssueListQuery,
    success: { status: 200, description: 'One page.', body: IssueList },
    refusals: finishedAssetRefusals,
    examples: {
      response: {
        assetId: exampleAssetId,
        submissionId: exampleSubmissionId,
        issues: [exampleIssue],
        totalCount: 1,
        nextCursor: null,
        hasMore: false,
      },
    },
    links: {
      getIssue: { parameters: firstIssueParameters },
      updateIssue: { parameters: firstIssueParameters },
    },
  },
  getIssue: {
    method: 'GET',
    path: '/submissions/{submission_id}/assets/{asset_id}/issues/{issue_id}',
    bucket: 'submission_read',
    tag: 'Results',
    summary: 'Read one issue with its decisions',
    description:
      'Includes the decisions on the issue: who changed the status, when, from what to what, and why. Decisions are never removed.',
    success: { status: 200, description: 'The issue in full.', body: IssueDetail },
    refusals: [...finishedAssetRefusals, 'issue_not_found'],
    examples: { response: { ...exampleDismissedIssue, decisions: [exampleDecision] } },
  },
  updateIssue: {
    method: 'PATCH',
    path: '/submissions/{submission_id}/assets/{asset_id}/issues/{issue_id}',
    bucket: 'submission_write',
    tag: 'Results',
    summary: 'Decide on an issue',
    description:
      'Sets the status, a reason and a note, and records who decided. ACKNOWLEDGED and DISMISSED carry over if the next version of the asset has the same issue and its severity, measured value and extent are not worse; for file safety issues only if the file is identical. Otherwise the issue is open again, with the earlier decision in `previousDecision`.',
    body: IssueStatusRequest,
    success: { status: 200, description: 'The updated issue.', body: Issue },
    refusals: ['live_submission', ...assetRefusals, 'issue_not_found', 'note_required'],
    examples: {
      request: { status: 'DISMISSED', reason: 'false_alarm', note: 'The script only prints the page.' },
      response: exampleDismissedIssue,
    },
  },
  getEvidence: {
    method: 'GET',
    path: '/submissions/{submission_id}/assets/{asset_id}/issues/{issue_id}/evidence/{n}',
    bucket: 'submission_read',
    tag: 'Results',
    summary: 'Get a still image of an issue',
    description: 'A frame, image or page that shows the issue. Use the `url` in `evidence` of the issue.',
    success: { status: 200, description: 'Still image n, counted from 1.', file: 'image/jpeg' },
    refusals: [...finishedAssetRefusals, 'issue_not_found', 'evidence_not_found'],
    examples: {},
  },
  getMeasurements: {
    method: 'GET',
    path: '/submissions/{submission_id}/assets/{asset_id}/measurements',
    bucket: 'submission_read',
    tag: 'Results',
    summary: 'Read the measurements over time',
    description: `For plots: loudness, silence, mean luminance and flashes, up to ${seriesPointsMax.toLocaleString('en-US')} points each. Assets without audio or video have none.`,
    success: { status: 200, description: 'The measured series.', body: Measurements },
    refusals: finishedAssetRefusals,
    examples: {
      response: {
        assetId: exampleAssetId,
        submissionId: exampleSubmissionId,
        durationMs: 30_000,
        frameRate: 25,
        series: [{ name: 'loudnessShortTerm', unit: 'LUFS', stepMs: 100, values: [null, -24.1, -23.2] }],
      },
    },
  },
  getTopics: {
    method: 'GET',
    path: '/submissions/{submission_id}/assets/{asset_id}/topics',
    bucket: 'submission_read',
    tag: 'Results',
    summary: 'Read the issues of an asset as topics',
    description:
      'Groups issues that have the same cause. All other issues are in `orphanIssues`. The most severe come first.',
    success: { status: 200, description: 'Every issue, exactly once.', body: Topics },
    refusals: finishedAssetRefusals,
    examples: {
      response: {
        assetId: exampleAssetId,
        topics: [],
        orphanIssues: [exampleCompactIssue],
        metadata: {
          generatedAt: exampleCompletedAt,
          algorithm: 'structural-v1',
          algorithmVersion: '2.0.0',
          totalIssueCount: 1,
          topicCount: 0,
          clusteredIssueCount: 0,
          orphanIssueCount: 1,
        },
      },
    },
  },
  getChanges: {
    method: 'GET',
    path: '/submissions/{submission_id}/assets/{asset_id}/changes',
    bucket: 'submission_read',
    tag: 'Results',
    summary: 'Compare an asset with its previous version',
    description: 'Lists new, gone and kept issues, compared with the newest earlier version that is complete.',
    success: { status: 200, description: 'The changes.', body: Changes },
    refusals: finishedAssetRefusals,
    examples: {
      response: {
        assetId: exampleAssetId,
        submissionId: exampleSubmissionId,
        versionNumber: 1,
        previous: null,
        newIssues: [exampleCompactIssue],
        goneIssues: [],
        keptIssues: [],
      },
    },
  },
} as const satisfies Record<string, Route>;
