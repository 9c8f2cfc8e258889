import { Refusal } from '@assay/contract/refusals.ts';
import type { Caller } from '#call/caller.ts';
import { refuseChangeOfLive } from '#call/refuse-change-of-live.ts';
import type { Db } from '#platform/postgres/db.ts';
import { findKeyOf, type KeyRow } from './store.ts';

/** 404 for a key that is not of the workspace. */
export async function requireKey(db: Db, { workspaceId }: Caller, keyId: string): Promise<KeyRow> {
  const row = await findKeyOf(db, workspaceId, keyId);
  if (!row) throw new Refusal('key_not_found');
  return row;
}

/** For calls that change the key: 404, or 403 if the key is live and the caller's is not. */
export async function requireChangeableKey(db: Db, caller: Caller, keyId: string): Promise<KeyRow> {
  const row = await requireKey(db, caller, keyId);
  refuseChangeOfLive(caller, row.mode, 'live_key');
  return row;
}
