import { failureOf } from '@assay/contract/asset-failures.ts';
import { Refusal, type RefusalCode } from '@assay/contract/refusals.ts';
import type { Call, Reply } from '#call/call.ts';
import type { Caller, WorkspaceId } from '#call/caller.ts';
import { answerOnce } from '#modules/idempotency/answer-once.ts';
import type { Handles } from '#platform/handles.ts';
import { inTransaction } from '#platform/postgres/db.ts';
import { channelOf, presentRetried, withPreviousVersionMembers } from './present.ts';
import { lockSubmission, refreshStatus } from './progress-store.ts';
import { requireAsset } from './require-asset.ts';
import { requireSubmission } from './require-submission.ts';
import { acceptRetry, findDueRun } from './runs/run-store.ts';
import { startRunNow } from './runs/start-run.ts';
import { isRetryable } from './status.ts';
import type { AssetRow } from './store.ts';

/** §4.8: 202 with the response of a creation. Of two concurrent calls one is accepted; the other gets 409. */
export async function retryAsset(call: Call<'retryAsset'>, handles: Handles): Promise<Reply<'retryAsset'>> {
  const { caller, params } = call;
  const { workspaceId } = caller;
  let acceptedRun: number | undefined;
  const reply = await answerOnce(handles, 'retryAsset', call, async () => (db) => {
    return inTransaction(db, async (transaction) => {
      await lockSubmission(transaction, workspaceId, params.submissionId);
      const asset = await requireAsset(transaction, workspaceId, params); // 404
      refuseRetry(asset, caller); // 409
      acceptedRun = await acceptRetry(transaction, workspaceId, params.submissionId, asset, handles.clock.now());
      await refreshStatus(transaction, workspaceId, params.submissionId, asset.mode);
      return presentRetried(await requireSubmission(transaction, workspaceId, params.submissionId), caller.mode);
    });
  });
  if (acceptedRun !== undefined) {
    handles.realtime.notify(channelOf(params.submissionId));
    await startAcceptedRun(handles, workspaceId, params.submissionId, acceptedRun);
  }
  return { ...reply, response: withPreviousVersionMembers(reply.response) };
}

/** The retry is committed and thus accepted; if the start fails, the sweeper starts the run. */
async function startAcceptedRun(handles: Handles, workspaceId: WorkspaceId, submissionId: string, run: number) {
  try {
    const due = await findDueRun(handles.db, workspaceId, submissionId, run);
    if (due) await startRunNow(handles, due);
  } catch (error) {
    handles.log.warn({ err: error, submissionId }, 'an accepted retry was not started; the sweeper starts it');
  }
}

function refuseRetry(asset: AssetRow, caller: Caller): void {
  if (asset.mode === 'live' && caller.mode === 'sandbox')
    throw new Refusal('asset_not_retryable', {
      detail: 'Sandbox keys cannot retry assets of live submissions. Retry the asset with a live key.',
    });
  const code = refusalCodeOf(asset);
  if (code) throw new Refusal(code);
}

function refusalCodeOf(asset: AssetRow): RefusalCode | undefined {
  if (asset.error_type === null) {
    const isRetrying = asset.status !== 'complete' && asset.attempt > 1;
    return isRetrying ? 'retry_in_flight' : 'asset_not_failed';
  }
  if (isRetryable({ errorType: asset.error_type, attempt: asset.attempt })) return undefined;
  return failureOf(asset.error_type).isRetryable ? 'retry_limit_reached' : 'asset_not_retryable';
}
