import { randomUUIDv7 } from 'node:crypto';
import type { Tier } from '@assay/contract/limits.ts';
import { sql } from 'kysely';
import type { WorkspaceId } from '#call/caller.ts';
import type { Db } from '#platform/postgres/db.ts';

export async function insertWorkspace(db: Db, name: string, tier: Tier): Promise<WorkspaceId> {
  const workspaceId = randomUUIDv7() as WorkspaceId;
  await db.insertInto('workspaces').values({ workspace_id: workspaceId, name, tier }).execute();
  return workspaceId;
}

export async function selectWorkspaces(db: Db) {
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

/** Makes the workspace's own profile with this id or name its default; returns whether there is such a profile. */
export async function selectOwnProfile(db: Db, workspaceId: WorkspaceId, idOrName: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update workspaces w set profile = p.profile_id::text
    from profiles p
    where w.workspace_id = ${workspaceId} and p.workspace_id = w.workspace_id and p.deleted_at is null
      and (p.name = ${idOrName} or p.profile_id::text = ${idOrName})`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
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
