import type { Call, Reply } from '#call/call.ts';
import type { Handles } from '#platform/handles.ts';
import { requireProfile } from './find-profile.ts';
import { presentProfile } from './present-profile.ts';
import { findDefaultProfileKey } from './store.ts';

export async function getProfile(
  { caller: { workspaceId }, params, query }: Call<'getProfile'>,
  { db }: Handles,
): Promise<Reply<'getProfile'>> {
  const found = await requireProfile(db, workspaceId, params.profileId, query.revision); // 404
  return presentProfile(found, await findDefaultProfileKey(db, workspaceId));
}
