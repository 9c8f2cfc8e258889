import type { Call, Reply } from '#call/call.ts';
import type { Handles } from '#platform/handles.ts';
import { presentKey } from './present-key.ts';
import { requireKey } from './require-key.ts';

export async function getKey({ caller, params }: Call<'getKey'>, { db }: Handles): Promise<Reply<'getKey'>> {
  return presentKey(await requireKey(db, caller, params.keyId));
}
