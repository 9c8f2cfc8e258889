import { Refusal } from '@assay/contract/refusals.ts';
import { usualScopes } from '@assay/contract/rights.ts';
import type { Call, Reply } from '#call/call.ts';
import { refuseChangeOfLive } from '#call/refuse-change-of-live.ts';
import type { Handles } from '#platform/handles.ts';
import type { KeyRing } from '#platform/mechanisms/key-ring.ts';
import { inTransaction } from '#platform/postgres/db.ts';
import { refuseGrant } from './grant.ts';
import { issueKey } from './issue-key.ts';
import { presentKey } from './present-key.ts';
import { requireKey } from './require-key.ts';
import { hasRoomForKey, lockKeys } from './store.ts';

/** Not repeatable with an `Idempotency-Key`: the stored response would contain the key. */
export async function createKey(
  { caller, body }: Call<'createKey'>,
  { db, clock }: Handles,
  peppers: KeyRing,
): Promise<Reply<'createKey'>> {
  const { workspaceId } = caller;
  const mode = body.mode ?? caller.mode;
  const expiresAt = body.expiresAt ? new Date(body.expiresAt) : null;
  if (expiresAt && expiresAt <= clock.now()) throw refusePastExpiry();
  refuseChangeOfLive(caller, mode, 'live_key'); // 403
  refuseGrant(caller, body.scopes ?? usualScopes, expiresAt); // 403
  return inTransaction(db, async (transaction) => {
    await lockKeys(transaction, workspaceId);
    if (!(await hasRoomForKey(transaction, workspaceId, clock.now()))) throw new Refusal('key_limit_reached'); // 409
    const choices = { name: body.name, scopes: body.scopes, expiresAt };
    const { keyId, key } = await issueKey(transaction, peppers, workspaceId, mode, choices);
    return { ...presentKey(await requireKey(transaction, caller, keyId)), key };
  });
}

function refusePastExpiry(): Refusal {
  const error = { pointer: '/expiresAt', code: 'in_the_past', detail: 'expiresAt must be in the future.' };
  return new Refusal('validation_failed', { errors: [error] });
}
