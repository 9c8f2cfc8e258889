import type { Call, Reply } from '../access/caller.ts';
import type { Handles } from '../handles/handles.ts';
import { requireFinishedAsset } from '../submissions/require-asset.ts';
import { findMeasured } from './evidence-store.ts';

/** For plots. A rehearsal, or an asset that neither sounds nor moves, has none. */
export async function getMeasurements(
  { caller, params }: Call<'getMeasurements'>,
  { db }: Handles,
): Promise<Reply<'getMeasurements'>> {
  await requireFinishedAsset(db, caller.workspaceId, params);
  const measured = await findMeasured(db, caller.workspaceId, params);
  return { ...params, ...(measured ?? { durationMs: null, series: [] }) };
}
