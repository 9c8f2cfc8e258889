import type { Mode, WorkspaceId } from '#call/caller.ts';
import { idOfSecret, type KeyRing } from '#platform/mechanisms/key-ring.ts';
import type { Db } from '#platform/postgres/db.ts';
import { displayPartsOf, hashKey, makeKey, scopesOf } from './key.ts';
import { insertKey, type NewKey } from './store.ts';

/** What may be chosen for a new key. */
export type KeyChoices = { [Choice in 'name' | 'scopes' | 'expiresAt']?: NewKey[Choice] | undefined };

/** Creates and returns a key, of which only the HMAC is stored. */
export async function issueKey(
  db: Db,
  [pepper]: KeyRing,
  workspaceId: WorkspaceId,
  mode: Mode,
  { name = null, scopes = null, expiresAt = null }: KeyChoices = {},
) {
  const key = makeKey(mode);
  const parts = displayPartsOf(key);
  const row = { mode, hmac: hashKey(key, pepper), pepperId: idOfSecret(pepper), ...parts, name, scopes, expiresAt };
  const keyId = await insertKey(db, workspaceId, row);
  return { keyId, workspaceId, name, mode, scopes: scopesOf(scopes), key, expiresAt };
}
