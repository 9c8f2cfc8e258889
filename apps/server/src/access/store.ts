import { randomUUIDv7 } from 'node:crypto';
import type { Tier } from '@assay/contract/limits.ts';
import { sql } from 'kysely';
import type { Db } from '../handles/db.ts';
import type { Mode, WorkspaceId } from './caller.ts';

export async function insertWorkspace(db: Db, name: string, tier: Tier): Promise<WorkspaceId> {
  const workspaceId = randomUUIDv7() as WorkspaceId;
  await db.insertInto('workspaces').values({ workspace_id: workspaceId, name, tier }).execute();
  return workspaceId;
}

export async function listWorkspaces(db: Db) {
  return db
    .selectFrom('workspaces')
    .select(['workspace_id as workspaceId', 'name', 'tier', 'profile', 'created_at as createdAt'])
    .orderBy('workspace_id')
    .execute();
}

/** Returns whether the workspace exists. */
export async function updateWorkspace(
  db: Db,
  workspaceId: WorkspaceId,
  change: { tier: Tier } | { profile: string },
): Promise<boolean> {
  const result = await db
    .updateTable('workspaces')
    .set(change)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Makes an own profile, by id or name, the default of its workspace; returns whether there is such a profile. */
export async function selectOwnProfile(db: Db, workspaceId: WorkspaceId, idOrName: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update workspaces w set profile = p.profile_id::text
    from profiles p
    where w.workspace_id = ${workspaceId} and p.workspace_id = w.workspace_id and p.deleted_at is null
      and (p.name = ${idOrName} or p.profile_id::text = ${idOrName})`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

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

export async function listKeys(db: Db, workspaceId: WorkspaceId) {
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

/** Returns whether the key exists; revoking it again keeps the first time. */
export async function revokeKey(db: Db, keyId: string, now: Date): Promise<boolean> {
  const result = await db
    .updateTable('api_keys')
    .set((eb) => ({ revoked_at: eb.fn.coalesce('revoked_at', eb.val(now)) }))
    .where('key_id', '=', keyId)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Takes no workspace: this query finds it. */
export async function findKey(db: Db, hmacs: Buffer[]) {
  return usableKeys(db).where('api_keys.hmac', 'in', hmacs).executeTakeFirst();
}

/** Takes no workspace: the caller has presented the key before. */
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

/** Called when a key is used: only then its HMAC with the newest pepper can be computed. */
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

/** The lock is held until the transaction ends; false when another transaction holds it. */
export async function tryLockIdempotencyKey(db: Db, workspaceId: WorkspaceId, route: string, key: string) {
  const name = `${workspaceId} ${route} ${key}`;
  const { rows } = await sql<{ isLocked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as "isLocked"`.execute(db);
  return rows[0]?.isLocked ?? false;
}

export async function findIdempotencyKey(db: Db, workspaceId: WorkspaceId, route: string, key: string, since: Date) {
  return db
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'answer'])
    .where('workspace_id', '=', workspaceId)
    .where('route', '=', route)
    .where('key', '=', key)
    .where('created_at', '>', since)
    .executeTakeFirst();
}

export type AnsweredKey = { route: string; key: string; fingerprint: Buffer; answer: object; createdAt: Date };

export async function insertIdempotencyKey(db: Db, workspaceId: WorkspaceId, answered: AnsweredKey): Promise<void> {
  const values = {
    fingerprint: answered.fingerprint,
    answer: JSON.stringify(answered.answer),
    created_at: answered.createdAt,
  };
  await db
    .insertInto('idempotency_keys')
    .values({ workspace_id: workspaceId, route: answered.route, key: answered.key, ...values })
    // The caller has checked for a stored answer: an existing row is too old to be repeated.
    .onConflict((conflict) => conflict.columns(['workspace_id', 'route', 'key']).doUpdateSet(values))
    .execute();
}

/** Deletes up to `limit` keys stored before this time, and returns how many. */
export async function deleteIdempotencyKeys(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from idempotency_keys where ctid = any(array(
      select ctid from idempotency_keys where created_at < ${before} order by created_at limit ${limit}
    ))`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Charges once per asset and attempt, however often it is called. */
export async function chargeAsset(db: Db, workspaceId: WorkspaceId, assetId: string, attempt: number): Promise<void> {
  await db
    .insertInto('credit_entries')
    .values({ workspace_id: workspaceId, asset_id: assetId, attempt, credits: 1 })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'asset_id', 'attempt']).doNothing())
    .execute();
}

/** Credits spent per month (UTC). */
export async function sumCreditsByMonth(db: Db, workspaceId: WorkspaceId) {
  const { rows } = await sql<{ month: string; credits: number }>`
    select to_char(created_at at time zone 'UTC', 'YYYY-MM') as month, sum(credits)::int as credits
    from credit_entries where workspace_id = ${workspaceId} group by month order by month`.execute(db);
  return rows;
}

export async function sumCredits(db: Db, workspaceId: WorkspaceId): Promise<number> {
  const { rows } = await sql<{ used: string | null }>`
    select sum(credits) as used from credit_totals where workspace_id = ${workspaceId}`.execute(db);
  return Number(rows[0]?.used ?? 0);
}
