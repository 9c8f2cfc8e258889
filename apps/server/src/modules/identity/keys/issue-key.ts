import type { Mode, WorkspaceId } from '#call/caller.ts';
import { idOfSecret, type KeyRing } from '#platform/mechanisms/key-ring.ts';
import type { Db } from '#platform/postgres/db.ts';
import { displayPartsOf, hashKey, makeKey } from './key.ts';
import { insertKey } from './store.ts';

/** Creates and returns a key, of which only the HMAC is stored. */
export async function issueKey(
  db: Db,
  [pepper]: KeyRing,
  workspaceId: WorkspaceId,
  mode: Mode,
  expiresAt: Date | null,
) {
  const key = makeKey(mode);
  const row = { mode, hmac: hashKey(key, pepper), pepperId: idOfSecret(pepper), ...displayPartsOf(key), expiresAt };
  const keyId = await insertKey(db, workspaceId, row);
  return { keyId, workspaceId, mode, key, expiresAt };
}
