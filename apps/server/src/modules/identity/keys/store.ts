import { randomUUIDv7 } from 'node:crypto';
import { keysPerWorkspaceMax } from '@assay/contract/limits.ts';
import type { Scope } from '@assay/contract/rights.ts';
import { sql } from 'kysely';
import type { Mode, WorkspaceId } from '#call/caller.ts';
import { listColumns, type RowOf } from '#platform/postgres/columns.ts';
import type { DB } from '#platform/postgres/database.generated.ts';
import type { Db } from '#platform/postgres/db.ts';

export type NewKey = {
  mode: Mode;
  hmac: Buffer;
  pepperId: string;
  prefix: string;
  lastFour: string;
  name: string | null;
  /** Null: all but `manage`. */
  scopes: readonly Scope[] | null;
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
      name: key.name,
      scopes: key.scopes && [...key.scopes],
      expires_at: key.expiresAt,
    })
    .execute();
  return keyId;
}

const columns = [
  'key_id as keyId',
  'name',
  'mode',
  'scopes',
  'prefix',
  'last_four as lastFour',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
  'expires_at as expiresAt',
  'revoked_at as revokedAt',
] as const;
export type KeyRow = RowOf<Pick<DB, 'api_keys'>, typeof columns, { mode: Mode; scopes: Scope[] | null }>;

/** All keys, oldest first. */
export async function selectKeys(db: Db, workspaceId: WorkspaceId): Promise<KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    select ${listColumns(columns)} from api_keys where workspace_id = ${workspaceId} order by key_id`.execute(db);
  return rows;
}

/** A page of keys, newest first. */
export async function listKeys(
  db: Db,
  workspaceId: WorkspaceId,
  beforeId: string | undefined,
  limit: number,
): Promise<KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    select ${listColumns(columns)} from api_keys
    where workspace_id = ${workspaceId} ${beforeId ? sql`and key_id < ${beforeId}` : sql``}
    order by key_id desc limit ${limit}`.execute(db);
  return rows;
}

export async function findKeyOf(db: Db, workspaceId: WorkspaceId, keyId: string): Promise<KeyRow | undefined> {
  const { rows } = await sql<KeyRow>`
    select ${listColumns(columns)} from api_keys
    where key_id = ${keyId} and workspace_id = ${workspaceId}`.execute(db);
  return rows[0];
}

/** Serialises the changes to the keys of a workspace, so that a count or what was read of a key stays valid. */
export async function lockKeys(db: Db, workspaceId: WorkspaceId): Promise<void> {
  await sql`select from workspaces where workspace_id = ${workspaceId} for no key update`.execute(db);
}

export async function hasRoomForKey(db: Db, workspaceId: WorkspaceId, now: Date): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from api_keys
    where workspace_id = ${workspaceId} and revoked_at is null and (expires_at is null or expires_at > ${now})`.execute(
    db,
  );
  return (rows[0]?.count ?? 0) < keysPerWorkspaceMax;
}

export type KeyChanges = {
  name?: string | undefined;
  expiresAt?: Date | null | undefined;
  revokedAt?: Date | undefined;
};

/** Returns undefined if the key is already revoked or not of the workspace. What is undefined stays unchanged. */
export async function changeKey(
  db: Db,
  workspaceId: WorkspaceId,
  keyId: string,
  { name, expiresAt, revokedAt }: KeyChanges,
): Promise<KeyRow | undefined> {
  const row = await db
    .updateTable('api_keys')
    .set({
      ...(name !== undefined && { name }),
      ...(expiresAt !== undefined && { expires_at: expiresAt }),
      ...(revokedAt && { revoked_at: revokedAt }),
    })
    .where('key_id', '=', keyId)
    .where('workspace_id', '=', workspaceId)
    .where('revoked_at', 'is', null)
    .returning(columns)
    .executeTakeFirst();
  return row as KeyRow | undefined;
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
      'api_keys.name',
      'api_keys.prefix',
      'api_keys.scopes',
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
