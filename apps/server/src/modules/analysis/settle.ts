import type { AssetErrorType } from '@assay/contract/asset-failures.ts';
import { contentBoundSidekickIds } from '@assay/sidekicks/sidekick/catalogue.ts';
import { presentPin } from '#modules/profiles/find-profile.ts';
import { publishIssues } from '#modules/results/issues/publish-issues.ts';
import { judgeResult } from '#modules/results/judge-asset.ts';
import { groupIntoTopics } from '#modules/results/topics/keep-topics.ts';
import { failureEvent, finishEvents, subjectOf } from '#modules/submissions/event-subject.ts';
import { channelOf } from '#modules/submissions/present.ts';
import { lockSubmission, refreshStatus, settleAsset } from '#modules/submissions/progress-store.ts';
import { moveToNextRun, restartsMax } from '#modules/submissions/runs/reconcile-store.ts';
import { type AssetRow, findAsset } from '#modules/submissions/store.ts';
import { completedEvent } from '#modules/webhooks/events/asset-event.ts';
import type { NewEvent } from '#modules/webhooks/events/event-store.ts';
import { publishEvents, recordEvents } from '#modules/webhooks/events/publish-events.ts';
import { chargeAsset } from '#modules/workspaces/store.ts';
import type { Handles } from '#platform/handles.ts';
import type { Db } from '#platform/postgres/db.ts';
import type { AssetAttempt } from './asset-attempt.ts';
import { assetsSettled, runsRestarted } from './metrics.ts';
import { takeExamination } from './store.ts';
import { deleteTries } from './try-store.ts';

/** Settles one attempt in one transaction: issues, topics, counts, failure, charge, status, event and deliveries. */
export async function settle(asset: AssetAttempt, failure: AssetErrorType | null, handles: Handles): Promise<void> {
  const { workspaceId, submissionId, assetId, attempt } = asset;
  let outcome = '';
  let isRestarted = false;
  const deliveries = await handles.db.transaction().execute(async (transaction) => {
    const now = await lockSubmission(transaction, workspaceId, submissionId);
    const row = await findAsset(transaction, workspaceId, submissionId, assetId);
    if (!now || row?.attempt !== attempt) return undefined;
    if (row.status === 'complete' || row.status === 'failed') return undefined; // already settled
    if (row.mode !== 'live') return undefined; // a simulated run never fails, and has no results
    const examination = await takeExamination(transaction, workspaceId, submissionId, asset);
    if (!failure && !examination && row.restart_count < restartsMax) {
      // The engine considers the asset examined, but the database has no examination: it was restored from a backup.
      await moveToNextRun(transaction, { workspaceId, submissionId, run: row.run, assets: [asset] });
      isRestarted = true;
      return undefined;
    }
    const { event, ...settlement } =
      failure || !examination
        ? failedSettlement(asset, row, failure ?? 'internal_error', now)
        : await publishResults(transaction, asset, row, examination, now);
    await settleAsset(transaction, workspaceId, submissionId, { assetId, attempt, completedAt: now, ...settlement });
    if (settlement.status === 'complete') {
      await deleteTries(transaction, workspaceId, asset);
      await chargeAsset(transaction, workspaceId, assetId, attempt);
    }
    const submission = await refreshStatus(transaction, workspaceId, submissionId, row.mode);
    outcome = settlement.status === 'failed' ? settlement.errorType : settlement.status;
    const events = [event, ...finishEvents(subjectOf(asset, row, row), submission, row)];
    return recordEvents(transaction, workspaceId, events, now);
  });
  if (isRestarted) {
    runsRestarted(handles.metrics).inc();
    handles.log.warn({ submissionId, assetId }, 'the examination of an asset is missing; it is examined again');
  }
  if (!deliveries) return;
  assetsSettled(handles.metrics).inc({ outcome });
  handles.realtime.notify(channelOf(submissionId));
  publishEvents(handles, workspaceId, deliveries);
}

function failedSettlement(asset: AssetAttempt, row: AssetRow, errorType: AssetErrorType, now: Date) {
  const event = failureEvent(subjectOf(asset, row, row), row, errorType, row, now);
  return { status: 'failed', errorType, event } as const;
}

type Examination = NonNullable<Awaited<ReturnType<typeof takeExamination>>>;

async function publishResults(db: Db, asset: AssetAttempt, row: AssetRow, examination: Examination, now: Date) {
  const { workspaceId, submissionId, assetId } = asset;
  const { version_group_id: versionGroupId, version_number: versionNumber } = row;
  const { contentSha256 } = examination;
  const version = { submissionId, assetId, versionGroupId, versionNumber, contentSha256, contentBoundSidekickIds };
  const issues = await publishIssues(db, workspaceId, version, examination.findings, now);
  const profile = presentPin(row);
  const judgement = judgeResult(examination.checks, issues, profile);
  const event: NewEvent = completedEvent(
    subjectOf(asset, row, row),
    { issueCount: issues.length, judgement, profile },
    now,
  );
  return {
    status: 'complete',
    issueCount: issues.length,
    checks: examination.checks,
    topics: groupIntoTopics(assetId, issues, now),
    contentSha256,
    media: examination.media,
    judgement,
    event,
  } as const;
}
