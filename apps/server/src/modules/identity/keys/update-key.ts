import { Refusal } from '@assay/contract/refusals.ts';
import type { Call, Reply } from '#call/call.ts';
import type { Handles } from '#platform/handles.ts';
import { inTransaction } from '#platform/postgres/db.ts';
import { isLater, refuseGrant } from './grant.ts';
import { scopesOf } from './key.ts';
import { presentKey } from './present-key.ts';
import { requireChangeableKey } from './require-key.ts';
import { changeKey, lockKeys } from './store.ts';

export async function updateKey(
  { caller, params: { keyId }, body }: Call<'updateKey'>,
  { db }: Handles,
): Promise<Reply<'updateKey'>> {
  return inTransaction(db, async (transaction) => {
    await lockKeys(transaction, caller.workspaceId); // so that no other change extends the key after it was checked
    const before = await requireChangeableKey(transaction, caller, keyId); // 404, 403
    const expiresAt = body.expiresAt === undefined ? before.expiresAt : dateOf(body.expiresAt);
    if (isLater(expiresAt, before.expiresAt)) refuseGrant(caller, scopesOf(before.scopes), expiresAt); // 403
    const row = await changeKey(transaction, caller.workspaceId, keyId, { name: body.name, expiresAt });
    if (!row) throw new Refusal('key_revoked'); // 409
    return presentKey(row);
  });
}

const dateOf = (time: string | null) => (time === null ? null : new Date(time));
