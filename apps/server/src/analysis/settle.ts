import type { AssetErrorType } from '@assay/contract/asset-failures.ts';
import type { SeverityCounts } from '@assay/contract/event.ts';
import type { Severity } from '@assay/contract/severity.ts';
import { contentBoundSidekickIds } from '@assay/sidekicks/catalogue.ts';
import { chargeAsset } from '../access/store.ts';
import type { Db } from '../handles/db.ts';
import type { Handles } from '../handles/handles.ts';
import { keepTopics } from '../issues/keep-topics.ts';
import { publishIssues } from '../issues/publish-issues.ts';
import type { IssueRow } from '../issues/store.ts';
import { failureEvent, subjectOf } from '../submissions/event-subject.ts';
import { channelOf } from '../submissions/present.ts';
import { lockSubmission, refreshStatus, settleAsset } from '../submissions/progress-store.ts';
import { moveToNextRun, restartsMax } from '../submissions/reconcile-store.ts';
import { type AssetRow, findAsset } from '../submissions/store.ts';
import { completedEvent } from '../webhooks/asset-event.ts';
import type { NewEvent } from '../webhooks/event-store.ts';
import { recordEvents, tellEvents } from '../webhooks/publish-events.ts';
import type { AssetAttempt } from './asset-attempt.ts';
import { takeExamination } from './store.ts';
import { forgetTries } from './try-store.ts';

/** Ends one attempt: issues, topics, counts, failure, charge, status, event and deliveries, all or none of it. */
export async function settle(asset: AssetAttempt, failure: AssetErrorType | null, handles: Handles): Promise<void> {
  const { workspaceId, submissionId, assetId, attempt } = asset;
  const now = handles.clock.now();
  let outcome = '';
  let isRestarted = false;
  const deliveries = await handles.db.transaction().execute(async (transaction) => {
    await lockSubmission(transaction, workspaceId, submissionId);
    const row = await findAsset(transaction, workspaceId, submissionId, assetId);
    if (!row || row.asset_id === null || row.attempt !== attempt) return undefined;
    if (row.status === 'complete' || row.status === 'failed') return undefined; // settled before: once is enough
    const examination = await takeExamination(transaction, workspaceId, submissionId, asset);
    if (!failure && !examination && row.restart_count < restartsMax) {
      // The engine has seen it and the database has not: it was restored since.
      await moveToNextRun(transaction, { workspaceId, submissionId, run: row.run, assets: [asset] });
      isRestarted = true;
      return undefined;
    }
    const { event, ...settlement } =
      failure || !examination
        ? fail(asset, row, failure ?? 'internal_error', now)
        : await publish(transaction, asset, row, examination, now);
    await forgetTries(transaction, workspaceId, asset);
    await settleAsset(transaction, workspaceId, submissionId, { assetId, attempt, completedAt: now, ...settlement });
    if (settlement.status === 'complete') await chargeAsset(transaction, workspaceId, assetId, attempt);
    await refreshStatus(transaction, workspaceId, submissionId);
    outcome = settlement.status === 'failed' ? settlement.errorType : settlement.status;
    return recordEvents(transaction, workspaceId, [event], now);
  });
  if (isRestarted) {
    handles.metrics.runsRestarted.inc();
    handles.log.warn({ submissionId, assetId }, 'the examination of an asset is gone; it is examined again');
  }
  if (!deliveries) return;
  handles.metrics.assetsSettled.inc({ outcome });
  handles.realtime.announce(channelOf(submissionId));
  tellEvents(handles, workspaceId, deliveries);
}

function fail(asset: AssetAttempt, row: AssetRow, errorType: AssetErrorType, now: Date) {
  const event = failureEvent(subjectOf(asset, row, row), row, errorType, now);
  return { status: 'failed', errorType, event } as const;
}

type Examination = NonNullable<Awaited<ReturnType<typeof takeExamination>>>;

async function publish(db: Db, asset: AssetAttempt, row: AssetRow, examination: Examination, now: Date) {
  const { workspaceId, submissionId, assetId } = asset;
  const { version_group_id: versionGroupId, version_number: versionNumber } = row;
  const { contentSha256 } = examination;
  const version = { submissionId, assetId, versionGroupId, versionNumber, contentSha256, contentBoundSidekickIds };
  const issues = await publishIssues(db, workspaceId, version, examination.findings, now);
  const event: NewEvent = completedEvent(
    subjectOf(asset, row, row),
    { issueCount: issues.length, severityCounts: countSeverities(issues) },
    now,
  );
  return {
    status: 'complete',
    issueCount: issues.length,
    checks: examination.checks,
    topics: keepTopics(assetId, issues, now),
    contentSha256,
    event,
  } as const;
}

function countSeverities(issues: IssueRow[]): SeverityCounts {
  const count = (wanted: Severity) => issues.filter(({ severity }) => severity === wanted).length;
  return { critical: count('CRITICAL'), major: count('MAJOR'), minor: count('MINOR'), info: count('INFO') };
}
