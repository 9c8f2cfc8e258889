import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import type { Mode, WorkspaceId } from '#call/caller.ts';
import type { Db } from '#platform/postgres/db.ts';

export type NewKey = {
  mode: Mode;
  hmac: Buffer;
  pepperId: string;
  prefix: string;
  lastFour: string;
  expiresAt: Date | null;
};

export async function insertKey(db: Db, workspaceId: WorkspaceId, key: NewKey): Promise<string> {
  const keyId = randomUUIDv7();
  await db
    .insertInto('api_keys')
    .values({
      key_id: keyId,
      workspace_id: workspaceId,
      mode: key.mode,
      hmac: key.hmac,
      pepper_id: key.pepperId,
      prefix: key.prefix,
      last_four: key.lastFour,
      expires_at: key.expiresAt,
    })
    .execute();
  return keyId;
}

export async function selectKeys(db: Db, workspaceId: WorkspaceId) {
  return db
    .selectFrom('api_keys')
    .select([
      'key_id as keyId',
      'mode',
      'prefix',
      'last_four as lastFour',
      'created_at as createdAt',
      'last_used_at as lastUsedAt',
      'expires_at as expiresAt',
      'revoked_at as revokedAt',
    ])
    .where('workspace_id', '=', workspaceId)
    .orderBy('key_id')
    .execute();
}

/** Returns the workspace of the key, if there is one. A key that is already revoked keeps the time of its revocation. */
export async function markRevoked(db: Db, keyId: string, now: Date): Promise<WorkspaceId | undefined> {
  const key = await db
    .updateTable('api_keys')
    .set((eb) => ({ revoked_at: eb.fn.coalesce('revoked_at', eb.val(now)) }))
    .where('key_id', '=', keyId)
    .returning('workspace_id')
    .executeTakeFirst();
  return key?.workspace_id as WorkspaceId | undefined;
}

export async function revokeKeys(db: Db, workspaceId: WorkspaceId, now: Date): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('revoked_at', 'is', null)
    .execute();
}

/** Takes no workspace id, because this query finds the workspace. */
export async function findKey(db: Db, hmacs: Buffer[]) {
  return usableKeys(db).where('api_keys.hmac', 'in', hmacs).executeTakeFirst();
}

/** Takes no workspace id, because the key was authenticated before. */
export async function findKeyById(db: Db, keyId: string) {
  return usableKeys(db).where('api_keys.key_id', '=', keyId).executeTakeFirst();
}

function usableKeys(db: Db) {
  return db
    .selectFrom('api_keys')
    .innerJoin('workspaces', 'workspaces.workspace_id', 'api_keys.workspace_id')
    .select([
      'api_keys.key_id',
      'api_keys.workspace_id',
      'api_keys.mode',
      'api_keys.prefix',
      'api_keys.pepper_id',
      'api_keys.expires_at',
      'api_keys.last_used_at',
      'workspaces.tier',
    ])
    .where('api_keys.revoked_at', 'is', null);
}

/** Called when a key is used, because only then can its HMAC with the newest pepper be computed. */
export async function rehashKey(db: Db, keyId: string, hmac: Buffer, pepperId: string): Promise<void> {
  await db.updateTable('api_keys').set({ hmac, pepper_id: pepperId }).where('key_id', '=', keyId).execute();
}

/** Counts usable keys: those with this pepper, and those that would be lost without the older peppers. */
export async function countKeysByPepper(db: Db, pepperId: string) {
  const { rows } = await sql<{ current: number; underOlderPeppers: number }>`
    select count(*) filter (where pepper_id = ${pepperId})::int as current,
      count(*) filter (where pepper_id is distinct from ${pepperId})::int as "underOlderPeppers"
    from api_keys where revoked_at is null and (expires_at is null or expires_at > now())`.execute(db);
  return rows[0];
}

export async function touchKey(db: Db, keyId: string, now: Date): Promise<void> {
  await db.updateTable('api_keys').set({ last_used_at: now }).where('key_id', '=', keyId).execute();
}
