import { randomUUID, randomUUIDv7 } from 'node:crypto';
import {
  deleteExaminations,
  hasExamination,
  recordExamination,
  removeExaminationRows,
  takeExamination,
} from '@assay/server/modules/analysis/store.ts';
import { beginTry, deleteTries, endTry, findTries, findTryEndings } from '@assay/server/modules/analysis/try-store.ts';
import { findBuiltIn } from '@assay/server/modules/profiles/built-in.ts';
import { pinOf } from '@assay/server/modules/profiles/find-profile.ts';
import type { FoundProfile } from '@assay/server/modules/profiles/profile-row.ts';
import { removeSubmissionRows } from '@assay/server/modules/submissions/delete/removal-store.ts';
import type { Judgement } from '@assay/server/modules/submissions/judgement.ts';
import * as listing from '@assay/server/modules/submissions/list/list-store.ts';
import * as progress from '@assay/server/modules/submissions/progress-store.ts';
import { dropEmptyMonths, makeMonths } from '@assay/server/modules/submissions/retention/month-store.ts';
import {
  findExpiredSubmissions,
  findSubmissionsOf,
  isExpired,
} from '@assay/server/modules/submissions/retention/retention-store.ts';
import { addBacklogGauges } from '@assay/server/modules/submissions/runs/backlog-store.ts';
import { claimUnfinishedRuns, moveToNextRun } from '@assay/server/modules/submissions/runs/reconcile-store.ts';
import * as runs from '@assay/server/modules/submissions/runs/run-store.ts';
import * as store from '@assay/server/modules/submissions/store.ts';
import * as unjudged from '@assay/server/modules/submissions/unjudged-store.ts';
import { openLog } from '@assay/server/platform/log.ts';
import { passedJudgement } from '@assay/testing/samples/passed-judgement.ts';
import { Registry } from 'prom-client';
import type { Sample, SampleRow } from '../sample.ts';
import type { Operations } from './operation.ts';

const statuses = ['submitted', 'processing', 'complete', 'failed'] as const;
const limit = 100;
/** So few that both databases have as many. */
const rareLimit = 3;
const first = ({ assetId }: SampleRow) => ({ assetId, attempt: 1 });
const attemptOf = ({ workspaceId }: Sample, { submissionId, assetId }: SampleRow) => ({
  workspaceId,
  submissionId,
  assetId,
  attempt: 1,
});
const sha256 = Buffer.alloc(32);

const anySubmission = {
  modes: ['live'] as listing.SubmissionFilter['modes'],
  statuses: [...statuses],
  fromId: undefined,
  beforeId: undefined,
  limit,
};
type Filter = Partial<listing.SubmissionFilter>;
const list = (filter: Filter | ((sample: Sample) => Filter)) =>
  ((db, sample) =>
    listing.listSubmissions(db, sample.workspaceId, {
      ...anySubmission,
      ...(typeof filter === 'function' ? filter(sample) : filter),
    })) satisfies Operations[string];

const listByFilename = (filenamePrefix: string, filter: Partial<listing.NameFilter> = {}) =>
  ((db, { workspaceId }: Sample) =>
    listing.listSubmissionsByFilename(db, workspaceId, {
      ...anySubmission,
      after: undefined,
      filenamePrefix,
      ...filter,
    })) satisfies Operations[string];

const judgement: Judgement = passedJudgement;

const submissionId = randomUUIDv7();

export const submissions: Operations = {
  insertSubmission: (db, { workspaceId, complete, now }) =>
    store.insertSubmission(db, workspaceId, {
      submissionId,
      mode: 'live',
      sidekickIds: null,
      pin: pinOf(findBuiltIn('general') as FoundProfile),
      simulationDelaySeconds: 0,
      metadata: {},
      createdAt: now,
      assets: [
        {
          assetId: randomUUIDv7(),
          blobId: complete.blobId,
          filename: 'spot.mp4',
          contentType: 'video/mp4',
          category: 'video',
          etag: 'etag',
          sizeBytes: 1000,
          declaredSha256: null,
          versionGroupId: randomUUIDv7(),
          versionNumber: 1,
          previousAssetId: null,
          matchedBy: null,
        },
      ],
    }),
  allocateVersionNumbers: (db, { workspaceId, complete }) =>
    store.allocateVersionNumbers(db, workspaceId, [complete.versionGroupId]),
  allocateReferenceNumbers: (db, { workspaceId, complete }) =>
    store.allocateReferenceNumbers(db, workspaceId, complete.versionGroupId, 3),
  findPreviousVersion: (db, { workspaceId, version }) => store.findPreviousVersion(db, workspaceId, version),
  'findSubmission: new': (db, { workspaceId, complete }) =>
    store.findSubmission(db, workspaceId, complete.submissionId),
  'findSubmission: old': (db, { workspaceId, failed }) => store.findSubmission(db, workspaceId, failed.submissionId),
  findRevision: (db, { workspaceId, complete }) => store.findRevision(db, workspaceId, complete.submissionId),
  'listSubmissions: first page': list({}),
  'listSubmissions: both modes': list({ modes: ['live', 'sandbox'] }),
  'listSubmissions: sandbox': list({ modes: ['sandbox'] }),
  ...Object.fromEntries(statuses.map((status) => [`listSubmissions: ${status}`, list({ statuses: [status] })])),
  'listSubmissions: next page': list(({ late }) => ({ beforeId: idAt(late) })),
  'listSubmissions: failed, next page': list(({ late }) => ({ statuses: ['failed'], beforeId: idAt(late) })),
  'listSubmissions: created after and before': list(({ early, late }) => ({
    fromId: idAt(early),
    beforeId: idAt(late),
  })),
  'listSubmissions: by verdict': list({ verdicts: ['failed'] }),
  'listSubmissions: by two verdicts, next page': list(({ late }) => ({
    verdicts: ['needs_review', 'passed'],
    beforeId: idAt(late),
  })),
  'listSubmissions: by a verdict that none has': list({ verdicts: ['passed_with_waivers'] }),
  'listSubmissions: by verdict and status': list({
    verdicts: ['not_checked'],
    statuses: ['failed'],
    limit: rareLimit,
  }),
  'listSubmissions: by a common profile': list({ profileKey: 'general' }),
  'listSubmissions: by a rare profile': list(({ profileId }) => ({ profileKey: profileId, limit: rareLimit })),
  'listSubmissions: by a profile that none has': list({ profileKey: 'ebu-r128' }),
  'listSubmissions: by profile and verdict': list({ profileKey: 'general', verdicts: ['failed'] }),
  'listSubmissions: by reference': list({ clientReference: 'campaign-5', limit: rareLimit }),
  'listSubmissions: by reference, next page': list(({ late }) => ({
    clientReference: 'campaign-5',
    beforeId: idAt(late),
    limit: rareLimit,
  })),
  'listSubmissions: by a reference that none has': list({ clientReference: 'none' }),
  'listSubmissions: by reference and verdict': list({
    clientReference: 'campaign-5',
    verdicts: ['failed'],
    limit: rareLimit,
  }),
  'listSubmissionsByFilename: a name that all have': listByFilename('SPOT-'),
  'listSubmissionsByFilename: one name': listByFilename('spot-1000.mp4'),
  'listSubmissionsByFilename: none': listByFilename('trailer'),
  'listSubmissionsByFilename: next page': async (db, sample) =>
    listByFilename('spot-', { after: { name: 'spot-5.mp4', submissionId: sample.complete.submissionId } })(db, sample),
  'listWithoutVerdict: first page': (db) => unjudged.listWithoutVerdict(db, undefined, limit),
  'listWithoutVerdict: next page': (db, { late }) => unjudged.listWithoutVerdict(db, idAt(late), limit),
  'listToJudge: first page': (db) => unjudged.listToJudge(db, undefined, limit),
  'listToJudge: next page': (db, { early }) => unjudged.listToJudge(db, idAt(early), limit),
  deleteToJudge: (db, { complete }) => unjudged.deleteToJudge(db, complete.submissionId),
  'listVersions: first page': (db, { workspaceId, version }) =>
    store.listVersions(db, workspaceId, version.submissionId, undefined, limit),
  'listVersions: next page': (db, { workspaceId, version }) =>
    store.listVersions(
      db,
      workspaceId,
      version.submissionId,
      { versionGroupId: version.versionGroupId, versionNumber: 1 },
      limit,
    ),
  findAsset: (db, { workspaceId, failed }) => store.findAsset(db, workspaceId, failed.submissionId, failed.assetId),
  findAssetOfAnyWorkspace: (db, { failed }) => store.findAssetOfAnyWorkspace(db, failed.assetId),

  beginAssets: (db, { workspaceId, unfinished }) =>
    progress.beginAssets(db, workspaceId, unfinished.submissionId, 'live', [first(unfinished)]),
  completeSimulatedRun: (db, { workspaceId, unfinished }) =>
    progress.completeSimulatedRun(db, workspaceId, unfinished.submissionId, [first(unfinished)]),
  cancelAssets: (db, { workspaceId, unfinished, now }) =>
    progress.cancelAssets(db, workspaceId, unfinished.submissionId, now),
  raiseProgress: (db, { workspaceId, unfinished }) =>
    progress.raiseProgress(db, workspaceId, unfinished.submissionId, first(unfinished), 70),
  settleAsset: (db, { workspaceId, unfinished, now }) =>
    progress.settleAsset(db, workspaceId, unfinished.submissionId, {
      ...first(unfinished),
      completedAt: now,
      status: 'complete',
      issueCount: 0,
      checks: [],
      topics: {},
      contentSha256: sha256,
      media: null,
      judgement,
    }),
  storeJudgement: (db, { workspaceId, complete }) =>
    progress.storeJudgement(db, workspaceId, complete.submissionId, complete.assetId, judgement),
  lockSubmission: (db, { workspaceId, unfinished }) =>
    progress.lockSubmission(db, workspaceId, unfinished.submissionId),
  refreshStatus: (db, { workspaceId, unfinished }) =>
    progress.refreshStatus(db, workspaceId, unfinished.submissionId, 'live'),

  claimDueRuns: (db, { now }) =>
    runs.claimDueRuns(db, { now, createdBefore: now, until: new Date(now.getTime() + 60_000) }, 50),
  postponeRun: (db, { unfinished, now }) =>
    runs.postponeRun(db, { submissionId: unfinished.submissionId, run: 1 }, now),
  findDueRun: (db, { workspaceId, unfinished }) => runs.findDueRun(db, workspaceId, unfinished.submissionId, 1),
  acceptRetry: (db, { workspaceId, failed, now }) =>
    runs.acceptRetry(db, workspaceId, failed.submissionId, { asset_id: failed.assetId, attempt: 1 }, now),
  deleteStartedRun: (db, { unfinished }) =>
    runs.deleteStartedRun(db, { submissionId: unfinished.submissionId, run: 1 }),
  claimCancelledRuns: (db, { now }) =>
    runs.claimCancelledRuns(db, { now, createdBefore: now, until: new Date(now.getTime() + 60_000) }, 50),
  deleteCancelledRun: (db, { unfinished }) =>
    runs.deleteCancelledRun(db, { submissionId: unfinished.submissionId, run: 2 }),
  claimUnfinishedRuns: (db) => claimUnfinishedRuns(db, 0, 50),
  moveToNextRun: (db, { workspaceId, unfinished }) =>
    moveToNextRun(db, { workspaceId, submissionId: unfinished.submissionId, run: 1, assets: [first(unfinished)] }),
  addBacklogGauges: async (db) => {
    const metrics = new Registry();
    addBacklogGauges({ metrics, db, log: openLog('silent') });
    if (/NaN/.test(await metrics.metrics())) throw new Error('a gauge could not be read');
  },

  findSubmissionsOf: (db, { workspaceId }) => findSubmissionsOf(db, workspaceId, limit),
  'findExpiredSubmissions: first page': (db, { early }) => findExpiredSubmissions(db, early, undefined, limit),
  'findExpiredSubmissions: next page': (db, { early, now }) =>
    findExpiredSubmissions(db, new Date(now.getTime() - 60 * 86_400_000), idAt(early), limit),
  'findExpiredSubmissions: none': (db, { early }) =>
    findExpiredSubmissions(db, new Date(early.getTime() - 400 * 86_400_000), undefined, limit),
  isExpired: (db, { workspaceId, failed, now }) => isExpired(db, workspaceId, failed.submissionId, now),
  makeMonths: (db, { now }) => makeMonths(db, now, 3),
  // Finds nothing to drop: the oldest month is kept.
  dropEmptyMonths: { run: (db, { early }) => dropEmptyMonths(db, early), ownTransaction: true },
  removeSubmissionRows: (db, { workspaceId, complete }) => removeSubmissionRows(db, workspaceId, complete.submissionId),

  recordExamination: (db, { workspaceId, unfinished }) =>
    recordExamination(db, workspaceId, unfinished.submissionId, {
      ...first(unfinished),
      contentSha256: sha256,
      media: null,
      checks: [],
      findings: [],
    }),
  hasExamination: (db, { workspaceId, unfinished }) =>
    hasExamination(db, workspaceId, unfinished.submissionId, first(unfinished)),
  takeExamination: (db, { workspaceId, unfinished }) =>
    takeExamination(db, workspaceId, unfinished.submissionId, first(unfinished)),
  deleteExaminations: (db, { workspaceId, unfinished }) => deleteExaminations(db, workspaceId, unfinished.submissionId),
  removeExaminationRows: (db, { workspaceId, complete }) =>
    removeExaminationRows(db, workspaceId, complete.submissionId),
  beginTry: (db, sample) =>
    beginTry(db, sample.workspaceId, attemptOf(sample, sample.unfinished), {
      workerId: randomUUID(),
      isSuspect: false,
    }),
  findTryEndings: (db, sample) => findTryEndings(db, sample.workspaceId, attemptOf(sample, sample.failed)),
  endTry: (db, sample) =>
    endTry(db, sample.workspaceId, attemptOf(sample, sample.failed), randomUUID(), {
      ending: 'outage',
      errorType: 'internal_error',
      reason: 'storage does not answer',
    }),
  findTries: (db, { workspaceId, failed }) => findTries(db, workspaceId, failed),
  deleteTries: (db, sample) => deleteTries(db, sample.workspaceId, attemptOf(sample, sample.failed)),
};

/** The smallest id of this time. */
export function idAt(moment: Date): string {
  const hex = moment.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
