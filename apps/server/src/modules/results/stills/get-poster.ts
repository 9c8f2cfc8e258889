import { Refusal } from '@assay/contract/refusals.ts';
import type { Call, Reply } from '#call/call.ts';
import { requireFinishedAsset } from '#modules/submissions/require-asset.ts';
import type { Handles } from '#platform/handles.ts';
import { findPoster } from './evidence-store.ts';

/** The still of an asset that shows what it is. */
export async function getPoster({ caller, params }: Call<'getPoster'>, { db }: Handles): Promise<Reply<'getPoster'>> {
  await requireFinishedAsset(db, caller.workspaceId, params);
  const jpeg = await findPoster(db, caller.workspaceId, params);
  if (!jpeg) throw new Refusal('evidence_not_found');
  return jpeg;
}
