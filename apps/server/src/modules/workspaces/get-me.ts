import type { Call, Reply } from '#call/call.ts';
import type { Handles } from '#platform/handles.ts';
import { sumCredits } from './store.ts';

export async function getMe({ caller }: Call<'getMe'>, { db }: Handles): Promise<Reply<'getMe'>> {
  const { workspaceId, mode, tier, keyPrefix } = caller;
  return { workspaceId, mode, tier, keyPrefix, credits: { used: await sumCredits(db, workspaceId) } };
}
