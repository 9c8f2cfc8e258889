import type { AssetErrorType } from '@assay/contract/asset-failures.ts';
import { chargeAsset } from '../access/store.ts';
import type { Db } from '../handles/db.ts';
import type { Handles } from '../handles/handles.ts';
import { keepTopics } from '../issues/keep-topics.ts';
import { publishIssues } from '../issues/publish-issues.ts';
import { lockSubmission, refreshStatus, type Settlement, settleAsset } from '../submissions/progress-store.ts';
import { findAsset } from '../submissions/store.ts';
import type { AssetAttempt } from './asset-attempt.ts';
import { takeExamination } from './store.ts';

/** Ends one attempt: issues, topics, counts, failure, charge and the submission's status, all or none of it. */
export async function settle(
  asset: AssetAttempt,
  failure: AssetErrorType | null,
  { db, clock }: Handles,
): Promise<void> {
  const { workspaceId, submissionId, assetId, attempt } = asset;
  await db.transaction().execute(async (transaction) => {
    await lockSubmission(transaction, workspaceId, submissionId);
    const row = await findAsset(transaction, workspaceId, submissionId, assetId);
    if (!row || row.asset_id === null || row.attempt !== attempt) return;
    if (row.status === 'complete' || row.status === 'failed') return; // settled before: once is enough
    const settlement = failure
      ? ({ status: 'failed', errorType: failure } as const)
      : await publish(transaction, asset, row, clock.now());
    await settleAsset(transaction, workspaceId, submissionId, {
      assetId,
      attempt,
      completedAt: clock.now(),
      ...settlement,
    } as Settlement);
    if (settlement.status === 'complete') await chargeAsset(transaction, workspaceId, assetId, attempt);
    await refreshStatus(transaction, workspaceId, submissionId);
  });
}

async function publish(
  db: Db,
  asset: AssetAttempt,
  { version_group_id, version_number }: { version_group_id: string; version_number: number },
  now: Date,
) {
  const { workspaceId, submissionId, assetId } = asset;
  const examination = await takeExamination(db, workspaceId, submissionId, asset);
  if (!examination) return { status: 'failed', errorType: 'internal_error' } as const;
  const version = { submissionId, assetId, versionGroupId: version_group_id, versionNumber: version_number };
  const issues = await publishIssues(db, workspaceId, version, examination.findings, now);
  return {
    status: 'complete',
    issueCount: issues.length,
    checks: examination.checks,
    topics: keepTopics(assetId, issues, now),
    contentSha256: examination.contentSha256,
  } as const;
}
