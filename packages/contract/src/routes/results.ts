import { Issue, IssueDetail } from '../issue.ts';
import {
  AssetResult,
  Changes,
  IssueList,
  IssueListQuery,
  IssueStatusRequest,
  Measurements,
  Topics,
} from '../result.ts';
import type { Route } from '../route.ts';
import {
  exampleAssetId,
  exampleCompactIssue,
  exampleEnd,
  exampleIssue,
  exampleKeyId,
  exampleSidekickId,
  exampleSubmissionId,
  exampleTime,
  exampleVersionGroupId,
} from './examples.ts';

const dismissedIssue = {
  ...exampleIssue,
  status: 'DISMISSED',
  statusNote: 'The script only prints the page.',
  statusReason: 'false_alarm',
  statusChangedAt: exampleEnd,
} as const;
const exampleDecision = {
  decidedAt: exampleEnd,
  actor: { kind: 'api_key', id: exampleKeyId },
  from: 'OPEN',
  to: 'DISMISSED',
  reason: 'false_alarm',
  note: 'The script only prints the page.',
  carriesOver: true,
  carriedFrom: null,
} as const;

const ofOneAsset = ['submission_not_found', 'asset_not_found'] as const;
const ofFinishedAsset = [...ofOneAsset, 'asset_not_ready', 'asset_failed'] as const;

const firstIssue = {
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
    description: 'Meant to be read once the asset is complete; until then `issues` is empty and `issueCount` null.',
    success: { status: 200, description: 'The asset with its issues in short form.', body: AssetResult },
    refusals: ofOneAsset,
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
        progressPercent: 100,
        errorMessage: null,
        errorType: null,
        isRetryable: false,
        retryCount: 0,
        createdAt: exampleTime,
        completedAt: exampleEnd,
        checks: [
          {
            sidekickId: exampleSidekickId,
            sidekickName: 'File safety',
            version: '1.0.0',
            profile: 'ebu-r128',
            outcome: 'ran',
            omittedCount: 0,
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
    description: 'By reference number. Each filter may be given several times: any of the values fits.',
    query: IssueListQuery,
    success: { status: 200, description: 'One page.', body: IssueList },
    refusals: ofFinishedAsset,
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
      getIssue: { parameters: firstIssue },
      updateIssue: { parameters: firstIssue },
    },
  },
  getIssue: {
    method: 'GET',
    path: '/submissions/{submission_id}/assets/{asset_id}/issues/{issue_id}',
    bucket: 'submission_read',
    tag: 'Results',
    summary: 'Read one issue with its decisions',
    description: 'Who changed its status, when, from what to what, and why. Nothing is ever taken out of this record.',
    success: { status: 200, description: 'The issue in full.', body: IssueDetail },
    refusals: [...ofFinishedAsset, 'issue_not_found'],
    examples: { response: { ...dismissedIssue, decisions: [exampleDecision] } },
  },
  updateIssue: {
    method: 'PATCH',
    path: '/submissions/{submission_id}/assets/{asset_id}/issues/{issue_id}',
    bucket: 'submission_write',
    tag: 'Results',
    summary: 'Decide on an issue',
    description:
      'Sets its status, a reason and a note, and records who did so. ACKNOWLEDGED and DISMISSED carry over when the next version of the asset has the same finding and it is no worse there: neither its severity nor its measured value nor its extent; for file safety only if the file is the same. Otherwise the issue is open again, and `previousDecision` says what was decided before.',
    body: IssueStatusRequest,
    success: { status: 200, description: 'The issue as it is now.', body: Issue },
    refusals: ['live_submission', ...ofOneAsset, 'issue_not_found'],
    examples: {
      request: { status: 'DISMISSED', reason: 'false_alarm', note: 'The script only prints the page.' },
      response: dismissedIssue,
    },
  },
  getEvidence: {
    method: 'GET',
    path: '/submissions/{submission_id}/assets/{asset_id}/issues/{issue_id}/evidence/{n}',
    bucket: 'submission_read',
    tag: 'Results',
    summary: 'Look at what an issue is about',
    description: 'A still of the moment, as the `url` of the issue’s `evidence` names it.',
    success: { status: 200, description: 'The n-th still, from 1.', file: 'image/jpeg' },
    refusals: [...ofFinishedAsset, 'issue_not_found', 'evidence_not_found'],
    examples: {},
  },
  getMeasurements: {
    method: 'GET',
    path: '/submissions/{submission_id}/assets/{asset_id}/measurements',
    bucket: 'submission_read',
    tag: 'Results',
    summary: 'Read what was measured over time',
    description:
      'For plots: loudness, silence, mean luminance and flashes, at most 2,000 points each. An asset without sound or moving picture has none.',
    success: { status: 200, description: 'Each series that was measured.', body: Measurements },
    refusals: ofFinishedAsset,
    examples: {
      response: {
        assetId: exampleAssetId,
        submissionId: exampleSubmissionId,
        durationMs: 30_000,
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
    description: 'Related issues are grouped; what is related to nothing else stands in `orphanIssues`.',
    success: { status: 200, description: 'Every issue exactly once.', body: Topics },
    refusals: ofFinishedAsset,
    examples: {
      response: {
        assetId: exampleAssetId,
        topics: [],
        orphanIssues: [exampleCompactIssue],
        metadata: {
          generatedAt: exampleEnd,
          algorithm: 'structural-v1',
          algorithmVersion: '1.0.0',
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
    description: 'Which issues are new, gone and kept since the newest earlier version that is complete.',
    success: { status: 200, description: 'What changed.', body: Changes },
    refusals: ofFinishedAsset,
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
