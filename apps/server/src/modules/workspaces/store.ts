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
  const { rows } = await sql<{
    workspaceId: string;
    name: string;
    tier: Tier;
    profile: string;
    createdAt: Date;
    storedFiles: number;
    storedBytes: number;
  }>`
    select w.workspace_id as "workspaceId", w.name, w.tier, w.profile, w.created_at as "createdAt",
      coalesce(sum(t.files), 0)::float8 as "storedFiles", coalesce(sum(t.bytes), 0)::float8 as "storedBytes"
    from workspaces w left join storage_totals t using (workspace_id)
    where w.deleted_at is null
    group by w.workspace_id order by w.workspace_id`.execute(db);
  return rows;
}

export async function findWorkspace(
  db: Db,
  workspaceId: WorkspaceId,
): Promise<{ name: string; deletedAt: Date | null } | undefined> {
  return db
    .selectFrom('workspaces')
    .select(['name', 'deleted_at as deletedAt'])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
}

/** Returns whether the workspace exists and is not deleted. */
export async function updateWorkspace(
  db: Db,
  workspaceId: WorkspaceId,
  change: { tier: Tier } | { profile: string } | { name: string; deleted_at?: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('workspaces')
    .set(change)
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', 'is', null)
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

/** No more submissions are counted, so that the count takes no longer. */
const countedMax = 100_000;

/** What is deleted with a workspace. */
export type Owned = {
  submissions: number;
  subscriptions: number;
  profiles: number;
  keys: number;
  files: number;
  bytes: number;
};

export async function countOwned(db: Db, workspaceId: WorkspaceId): Promise<Owned> {
  const { rows } = await sql<Omit<Owned, 'files' | 'bytes'>>`
    select (
      select count(*) from (select from submissions where workspace_id = ${workspaceId} limit ${countedMax}) as counted
    )::int as submissions,
      (select count(*) from subscriptions where workspace_id = ${workspaceId})::int as subscriptions,
      (select count(*) from profiles where workspace_id = ${workspaceId} and deleted_at is null)::int as profiles,
      (select count(*) from api_keys where workspace_id = ${workspaceId} and revoked_at is null)::int as keys`.execute(
    db,
  );
  const { files, bytes } = await readUsage(db, workspaceId);
  return { ...(rows[0] as Omit<Owned, 'files' | 'bytes'>), files, bytes };
}

/** Charges once per asset and attempt, however often it is called. */
export async function chargeAsset(db: Db, workspaceId: WorkspaceId, assetId: string, attempt: number): Promise<void> {
  await db
    .insertInto('credit_entries')
    .values({ workspace_id: workspaceId, asset_id: assetId, attempt, credits: 1 })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'asset_id', 'attempt']).doNothing())
    .execute();
}

// A page is read in well under the time limit of a statement, also when none of it is cached.
const creditAssetsPerPage = 10_000;

type CreditPage = { month: string; credits: number; lastId: string | null };

/** Credits spent per month (UTC). The ledger is read in pages, because a workspace may have millions of entries. */
export async function sumCreditsByMonth(
  db: Db,
  workspaceId: WorkspaceId,
  assetsPerPage = creditAssetsPerPage,
): Promise<{ month: string; credits: number }[]> {
  const byMonth = new Map<string, number>();
  let afterId: string | null = '00000000-0000-0000-0000-000000000000';
  while (afterId) {
    const { rows }: { rows: CreditPage[] } = await sql<CreditPage>`
      with last as (
        select asset_id from credit_entries where workspace_id = ${workspaceId} and asset_id > ${afterId}
        order by asset_id offset ${assetsPerPage - 1} limit 1
      )
      select to_char(created_at at time zone 'UTC', 'YYYY-MM') as month, sum(credits)::float8 as credits,
        (select asset_id from last) as "lastId"
      from credit_entries
      where workspace_id = ${workspaceId} and asset_id > ${afterId}
        and asset_id <= coalesce((select asset_id from last), 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
      group by month`.execute(db);
    for (const { month, credits } of rows) byMonth.set(month, (byMonth.get(month) ?? 0) + credits);
    afterId = rows[0]?.lastId ?? null;
  }
  return [...byMonth].map(([month, credits]) => ({ month, credits })).sort((a, b) => (a.month < b.month ? -1 : 1));
}

type Usage = { credits: number; files: number; bytes: number };

/** What the workspace has spent and stores, from totals whose number of rows does not grow. */
export async function readUsage(db: Db, workspaceId: WorkspaceId): Promise<Usage> {
  const { rows } = await sql<Usage>`
    select credits, files, bytes
    from (
      select coalesce(sum(credits), 0)::float8 as credits from credit_totals where workspace_id = ${workspaceId}
    ) as spent, (
      select coalesce(sum(files), 0)::float8 as files, coalesce(sum(bytes), 0)::float8 as bytes
      from storage_totals where workspace_id = ${workspaceId}
    ) as stored`.execute(db);
  return rows[0] as Usage;
}
