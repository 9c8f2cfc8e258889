import { Refusal } from '@assay/contract/refusals.ts';
import type { Call, Reply } from '#call/call.ts';
import { requireFinishedAsset } from '#modules/submissions/require-asset.ts';
import type { Handles } from '#platform/handles.ts';
import { findDecisions } from '../decisions/decision-store.ts';
import { presentDecision, presentIssue } from '../present.ts';
import { findIssue } from '../store.ts';

/** One issue with its decisions. */
export async function getIssue(
  { caller, params, prefix }: Call<'getIssue'>,
  { db }: Handles,
): Promise<Reply<'getIssue'>> {
  const { workspaceId } = caller;
  await requireFinishedAsset(db, workspaceId, params);
  const [issue, decisions] = await Promise.all([
    findIssue(db, workspaceId, params, params.issueId),
    findDecisions(db, workspaceId, params),
  ]);
  if (!issue) throw new Refusal('issue_not_found');
  return { ...presentIssue(issue, params, prefix), decisions: decisions.map(presentDecision) };
}
