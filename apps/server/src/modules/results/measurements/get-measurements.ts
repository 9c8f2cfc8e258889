import type { Call, Reply } from '#call/call.ts';
import { requireFinishedAsset } from '#modules/submissions/require-asset.ts';
import type { Handles } from '#platform/handles.ts';
import { findMeasurements } from '../stills/evidence-store.ts';

/** Data for plots. Empty for a simulated run, and for an asset without audio or video. */
export async function getMeasurements(
  { caller, params }: Call<'getMeasurements'>,
  { db }: Handles,
): Promise<Reply<'getMeasurements'>> {
  await requireFinishedAsset(db, caller.workspaceId, params);
  const measured = await findMeasurements(db, caller.workspaceId, params);
  return { ...params, ...(measured ?? { durationMs: null, frameRate: null, series: [] }) };
}
