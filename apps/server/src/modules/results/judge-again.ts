import { isDeepStrictEqual } from 'node:util';
import type { IssueDecision } from '@assay/contract/schemas/issue.ts';
import type { Verdict } from '@assay/contract/verdict.ts';
import type { WorkspaceId } from '#call/caller.ts';
import { presentPin } from '#modules/profiles/find-profile.ts';
import { subjectOf } from '#modules/submissions/event-subject.ts';
import type { Judgement } from '#modules/submissions/judgement.ts';
import { storeJudgement } from '#modules/submissions/progress-store.ts';
import type { AssetRow } from '#modules/submissions/store.ts';
import { verdictChangedEvent } from '#modules/webhooks/events/asset-event.ts';
import type { NewEvent } from '#modules/webhooks/events/event-store.ts';
import type { Db } from '#platform/postgres/db.ts';
import { judgeResult } from './judge-asset.ts';
import { findJudgedIssues } from './store.ts';

/** The verdict that follows from the current decisions on a complete asset. */
export async function judgeNow(db: Db, workspaceId: WorkspaceId, asset: AssetRow): Promise<Judgement> {
  const key = { submissionId: asset.submission_id, assetId: asset.asset_id };
  return judgeResult(asset.checks, await findJudgedIssues(db, workspaceId, key), presentPin(asset));
}

/**
 * Stores the verdict on a complete asset if it differs from the stored one, and returns whether it does. The submission
 * must be locked; `refreshStatus` must follow a change.
 */
export async function judgeAgain(
  db: Db,
  workspaceId: WorkspaceId,
  asset: AssetRow,
): Promise<{ judgement: Judgement; isChanged: boolean }> {
  const judgement = await judgeNow(db, workspaceId, asset);
  const isChanged = !isDeepStrictEqual(judgement, asset.judgement);
  if (isChanged) await storeJudgement(db, workspaceId, asset.submission_id, asset.asset_id, judgement);
  return { judgement, isChanged };
}

/** The event for a decision that changed the verdict; none for one that did not. */
export function changeEvents(
  workspaceId: WorkspaceId,
  asset: AssetRow,
  { previousVerdict, judgement }: { previousVerdict: Verdict; judgement: Judgement },
  { issueId, actor, decidedAt }: { issueId: string; actor: IssueDecision['actor']; decidedAt: Date },
): NewEvent[] {
  if (judgement.verdict === previousVerdict) return [];
  const subject = subjectOf({ workspaceId, submissionId: asset.submission_id }, asset, asset);
  const change = { previousVerdict, judgement, issueId, actor, profile: presentPin(asset) };
  return [verdictChangedEvent(subject, change, decidedAt)];
}
