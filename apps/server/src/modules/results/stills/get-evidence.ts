import { Refusal } from '@assay/contract/refusals.ts';
import type { Call, Reply } from '#call/call.ts';
import { requireFinishedAsset } from '#modules/submissions/require-asset.ts';
import type { Handles } from '#platform/handles.ts';
import { findIssue } from '../store.ts';
import { findStill } from './evidence-store.ts';

/** One still image of an issue's `evidence`. */
export async function getEvidence(
  { caller, params }: Call<'getEvidence'>,
  { db }: Handles,
): Promise<Reply<'getEvidence'>> {
  await requireFinishedAsset(db, caller.workspaceId, params);
  const issue = await findIssue(db, caller.workspaceId, params, params.issueId);
  if (!issue) throw new Refusal('issue_not_found');
  const kept = issue.evidence[params.n - 1];
  const jpeg = kept && (await findStill(db, caller.workspaceId, params, kept.stillId));
  if (!jpeg) throw new Refusal('evidence_not_found');
  return jpeg;
}
