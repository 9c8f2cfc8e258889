import type { Handles } from '../handles/handles.ts';
import type { Call, Reply } from './caller.ts';
import { sumCredits } from './store.ts';

export async function getMe({ caller }: Call<'getMe'>, { db }: Handles): Promise<Reply<'getMe'>> {
  const { workspaceId, mode, tier, keyPrefix } = caller;
  return { workspaceId, mode, tier, keyPrefix, credits: { used: await sumCredits(db, workspaceId) } };
}
