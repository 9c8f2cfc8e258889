import type { Call, Reply } from '#call/call.ts';
import type { Handles } from '#platform/handles.ts';
import { listBuiltIns } from './built-in.ts';
import { presentSummary } from './present-profile.ts';
import { findDefaultProfileKey, listOwnProfiles } from './store.ts';

/** One page: the number of profiles is limited. */
export async function listProfiles(
  { caller: { workspaceId } }: Call<'listProfiles'>,
  { db }: Handles,
): Promise<Reply<'listProfiles'>> {
  const found = [...listBuiltIns(), ...(await listOwnProfiles(db, workspaceId))];
  const current = await findDefaultProfileKey(db, workspaceId);
  return { profiles: found.map((profile) => presentSummary(profile, current)), nextCursor: null, hasMore: false };
}
