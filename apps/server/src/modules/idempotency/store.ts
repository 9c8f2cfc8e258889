import { sql } from 'kysely';
import type { WorkspaceId } from '#call/caller.ts';
import type { Db } from '#platform/postgres/db.ts';

/** Locks the key until the transaction ends; returns false when another transaction holds the lock. */
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

export type AnsweredKey = { route: string; key: string; fingerprint: Buffer; response: object; createdAt: Date };

export async function insertIdempotencyKey(db: Db, workspaceId: WorkspaceId, answered: AnsweredKey): Promise<void> {
  const values = {
    fingerprint: answered.fingerprint,
    answer: JSON.stringify(answered.response),
    created_at: answered.createdAt,
  };
  await db
    .insertInto('idempotency_keys')
    .values({ workspace_id: workspaceId, route: answered.route, key: answered.key, ...values })
    // The caller has checked for a stored response: an existing row is too old to be repeated.
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

/** Deletes up to `limit` keys of a workspace, and returns how many. */
export async function deleteIdempotencyKeysOf(db: Db, workspaceId: WorkspaceId, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from idempotency_keys where ctid = any(array(
      select ctid from idempotency_keys where workspace_id = ${workspaceId} limit ${limit}
    )) and workspace_id = ${workspaceId}`.execute(db);
  return Number(numAffectedRows ?? 0);
}
