import type { Category, Tier } from '@assay/contract/limits.ts';
import { sql } from 'kysely';
import type { Mode, WorkspaceId } from '../access/caller.ts';
import type { Db } from '../handles/db.ts';
import { groupWrites } from '../handles/group-writes.ts';

export type RunAsset = { assetId: string; attempt: number; category: Category };

/** One run of the engine over assets of a submission: all that it is told, and nothing but ids and numbers. */
export type Run = {
  workspaceId: WorkspaceId;
  submissionId: string;
  run: number;
  delaySeconds: number;
  assets: RunAsset[];
};

export type DueRun = Run & { mode: Mode; tier: Tier };

/** Runs that nobody started, or of which nobody heard that they were: over all workspaces, as a sweep goes. */
export async function findDueRuns(db: Db, before: Date, limit: number): Promise<DueRun[]> {
  const { rows } = await sql<DueRun>`
    select r.submission_id as "submissionId", r.run, r.workspace_id as "workspaceId", s.mode, w.tier,
      s.simulation_delay_seconds as "delaySeconds",
      (
        select json_agg(json_build_object('assetId', asset_id, 'attempt', attempt, 'category', category) order by position)
        from assets where submission_id = r.submission_id and status in ('submitted', 'processing')
      ) as assets
    from runs_to_start r
    join submissions s on s.submission_id = r.submission_id
    join workspaces w on w.workspace_id = r.workspace_id
    where r.created_at < ${before}
    order by r.created_at
    limit ${limit}`.execute(db);
  return rows.map((row) => ({ ...row, assets: row.assets ?? [] }));
}

const groupsAtOnceMax = 2;
const startedRuns = new WeakMap<Db, (run: { submissionId: string; run: number }) => Promise<void>>();

/** The engine has it. */
export function forgetStartedRun(db: Db, run: { submissionId: string; run: number }): Promise<void> {
  let forget = startedRuns.get(db);
  if (!forget) {
    forget = groupWrites(async (runs) => {
      await sql`
        delete from runs_to_start r
        using unnest(${runs.map(({ submissionId }) => submissionId)}::uuid[], ${runs.map((one) => one.run)}::int[])
          as started (id, number)
        where r.submission_id = started.id and r.run = started.number`.execute(db);
    }, groupsAtOnceMax);
    startedRuns.set(db, forget);
  }
  return forget(run);
}

/** Partitions of the months to come. */
export async function makeMonths(db: Db, first: Date, count: number): Promise<void> {
  await sql`select make_months(${first}, ${count})`.execute(db);
}
