import type { WorkspaceId } from '#call/caller.ts';
import { lockSubmission, refreshStatus } from '#modules/submissions/progress-store.ts';
import { type AssetRow, findAsset, findSubmission } from '#modules/submissions/store.ts';
import {
  deleteToJudge,
  listToJudge,
  listWithoutVerdict,
  type UnjudgedSubmission,
} from '#modules/submissions/unjudged-store.ts';
import type { NewEvent } from '#modules/webhooks/events/event-store.ts';
import { publishEvents, recordEvents } from '#modules/webhooks/events/publish-events.ts';
import type { Handles } from '#platform/handles.ts';
import { processRows, type RowJob } from '#platform/mechanisms/process-rows.ts';
import type { Db } from '#platform/postgres/db.ts';
import { findNewestDecisions } from './decisions/decision-store.ts';
import { changeEvents, judgeAgain } from './judge-again.ts';

const batchSize = 100;
const atOnceMax = 4;

/** Stores the verdicts on submissions that a version without stored verdicts finished. No event is sent for them. */
export async function storeMissingVerdicts(handles: Handles, signal?: AbortSignal): Promise<void> {
  await judgeEach('store-verdicts', handles, signal, (limit, last) =>
    listWithoutVerdict(handles.db, last?.submissionId, limit),
  );
}

/** Corrects stored verdicts after decisions of a version that does not store them, and sends the events. */
export async function correctVerdicts(handles: Handles, signal?: AbortSignal): Promise<void> {
  await judgeEach('correct-verdicts', handles, signal, (limit, last) =>
    listToJudge(handles.db, last?.submissionId, limit),
  );
}

async function judgeEach(
  name: string,
  handles: Handles,
  signal: AbortSignal | undefined,
  claim: RowJob<UnjudgedSubmission>['claim'],
): Promise<void> {
  const describe = ({ submissionId }: UnjudgedSubmission) => ({ submissionId });
  const act = (submission: UnjudgedSubmission) => judgeSubmission(handles, submission);
  await processRows(handles, { name, batchSize, atOnceMax, claim, act, describe }, signal);
}

async function judgeSubmission(handles: Handles, { workspaceId, submissionId }: UnjudgedSubmission): Promise<void> {
  const { deliveries, isVerdictChanged } = await handles.db.transaction().execute(async (transaction) => {
    const now = await lockSubmission(transaction, workspaceId, submissionId);
    await deleteToJudge(transaction, submissionId);
    const submission = now && (await findSubmission(transaction, workspaceId, submissionId));
    if (!submission) return { deliveries: [], isVerdictChanged: false }; // deleted
    const events: NewEvent[] = [];
    for (const { asset_id, status } of submission.assets) {
      if (status !== 'complete') continue;
      const asset = (await findAsset(transaction, workspaceId, submissionId, asset_id)) as AssetRow;
      const { judgement, isChanged } = await judgeAgain(transaction, workspaceId, asset);
      if (!isChanged || !asset.judgement) continue;
      const verdicts = { previousVerdict: asset.judgement.verdict, judgement };
      const decision = await findNewestDecision(transaction, workspaceId, asset);
      if (decision) events.push(...changeEvents(workspaceId, asset, verdicts, decision));
    }
    await refreshStatus(transaction, workspaceId, submissionId, submission.mode);
    const deliveries = await recordEvents(transaction, workspaceId, events, now);
    return { deliveries, isVerdictChanged: events.length > 0 };
  });
  if (isVerdictChanged) publishEvents(handles, workspaceId, deliveries);
}

async function findNewestDecision(db: Db, workspaceId: WorkspaceId, asset: AssetRow) {
  const key = { submissionId: asset.submission_id, assetId: asset.asset_id };
  const decisions = [...(await findNewestDecisions(db, workspaceId, key)).values()];
  const newest = decisions.sort((a, b) => b.decidedAt.getTime() - a.decidedAt.getTime())[0];
  if (!newest) return undefined;
  const { issueId, actorKind: kind, actorId: id, decidedAt } = newest;
  return { issueId, actor: { kind, id }, decidedAt };
}
