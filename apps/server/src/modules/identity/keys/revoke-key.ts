import type { Call, Reply } from '#call/call.ts';
import type { Handles } from '#platform/handles.ts';
import { requireChangeableKey } from './require-key.ts';
import { changeKey } from './store.ts';

/** Repeating it changes nothing. */
export async function revokeKey(
  { caller, params: { keyId } }: Call<'revokeKey'>,
  { db, clock }: Handles,
): Promise<Reply<'revokeKey'>> {
  await requireChangeableKey(db, caller, keyId); // 404, 403
  await changeKey(db, caller.workspaceId, keyId, { revokedAt: clock.now() });
}
