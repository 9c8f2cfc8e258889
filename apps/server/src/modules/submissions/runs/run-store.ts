import type { Category, Tier } from '@assay/contract/limits.ts';
import { sql } from 'kysely';
import type { Mode, WorkspaceId } from '#call/caller.ts';
import { groupWrites } from '#platform/mechanisms/group-writes.ts';
import type { Db } from '#platform/postgres/db.ts';
import type { EngineTimes } from '#platform/temporal/workflows.ts';

export type RunAsset = { assetId: string; attempt: number; category: Category };

/** One run of the engine for assets of a submission. Only ids and numbers, because the engine stores its input. */
export type Run = {
  workspaceId: WorkspaceId;
  submissionId: string;
  run: number;
  delaySeconds: number;
  assets: RunAsset[];
};

/** The input of a workflow. Runs that an earlier version started have no `times`. */
export type StartedRun = Run & { times?: EngineTimes };

export type DueRun = Run & { mode: Mode; tier: Tier };

const runColumns = sql`
    r.submission_id as "submissionId", r.run, r.workspace_id as "workspaceId", s.mode, w.tier,
    s.simulation_delay_seconds as "delaySeconds",
    (
      select json_agg(json_build_object('assetId', asset_id, 'attempt', attempt, 'category', category) order by position)
      from assets where submission_id = r.submission_id and run = r.run and status in ('submitted', 'processing')
    ) as assets`;
const joinedToRuns = sql`
    join submissions s on s.submission_id = r.submission_id
    join workspaces w on w.workspace_id = r.workspace_id`;

/** When rows are claimed: `now`, if they were created before this time, so that no other worker claims them `until` then. */
export type ClaimTimes = { now: Date; createdBefore: Date; until: Date };

// `any(array(…))` selects the rows once. `in` could select them again for each row, with a plan that was made while the
// table was almost empty, as it usually is.
const claimOldest = (
  table: 'runs_to_start' | 'runs_to_cancel',
  { now, createdBefore, until }: ClaimTimes,
  limit: number,
) => sql`
    update ${sql.table(table)} set try_after = ${until}
    where ctid = any(array(
      select ctid from ${sql.table(table)}
      where created_at < ${createdBefore} and (try_after is null or try_after <= ${now})
      order by created_at limit ${limit} for update skip locked
    ))`;

/** Claims runs of all workspaces that were committed but not recorded as started, the oldest first. */
export async function claimDueRuns(db: Db, times: ClaimTimes, limit: number): Promise<DueRun[]> {
  const { rows } = await sql<DueRun>`
    with r as (
      ${claimOldest('runs_to_start', times, limit)} returning submission_id, run, workspace_id, created_at
    )
    select ${runColumns} from r ${joinedToRuns} order by r.created_at`.execute(db);
  return rows.map((row) => ({ ...row, assets: row.assets ?? [] }));
}

export async function postponeRun(db: Db, { submissionId, run }: Pick<Run, 'submissionId' | 'run'>, until: Date) {
  await sql`
    update runs_to_start set try_after = ${until} where submission_id = ${submissionId} and run = ${run}`.execute(db);
}

/** The run, if it has not been recorded as started. */
export async function findDueRun(
  db: Db,
  workspaceId: WorkspaceId,
  submissionId: string,
  run: number,
): Promise<DueRun | undefined> {
  const { rows } = await sql<DueRun>`
    select ${runColumns} from runs_to_start r ${joinedToRuns}
    where r.submission_id = ${submissionId} and r.run = ${run} and r.workspace_id = ${workspaceId}`.execute(db);
  return rows[0]?.assets ? rows[0] : undefined;
}

/** Starts the asset's next attempt in a new run; the submission must be locked. Returns the run number. */
export async function acceptRetry(
  db: Db,
  workspaceId: WorkspaceId,
  submissionId: string,
  { asset_id: assetId, attempt }: { asset_id: string; attempt: number },
  acceptedAt: Date,
): Promise<number> {
  const { rows } = await sql<{ run: number }>`
    with next_run as (
      update submissions set run = run + 1
      where submission_id = ${submissionId} and workspace_id = ${workspaceId}
      returning run, revision + 1 as next_revision
    ), accepted as (
      update assets set status = 'submitted', attempt = attempt + 1, run = next_run.run, restart_count = 0,
        progress_percent = 0, error_type = null, completed_at = null, revision = next_run.next_revision
      from next_run
      where submission_id = ${submissionId} and asset_id = ${assetId} and attempt = ${attempt} and status = 'failed'
      returning next_run.run
    )
    insert into runs_to_start (submission_id, run, workspace_id, created_at)
    select ${submissionId}::uuid, run, ${workspaceId}::uuid, ${acceptedAt}::timestamptz from accepted
    returning run`.execute(db);
  return (rows[0] as { run: number }).run;
}

const groupsAtOnceMax = 2;
const startedRunGroups = new WeakMap<Db, (run: { submissionId: string; run: number }) => Promise<void>>();

/** Called once the engine has accepted the run. */
export function deleteStartedRun(db: Db, run: { submissionId: string; run: number }): Promise<void> {
  let deleteRun = startedRunGroups.get(db);
  if (!deleteRun) {
    deleteRun = groupWrites(async (runs) => {
      await sql`
        delete from runs_to_start r
        using unnest(${runs.map(({ submissionId }) => submissionId)}::uuid[], ${runs.map((one) => one.run)}::int[])
          as started (id, number)
        where r.submission_id = started.id and r.run = started.number`.execute(db);
    }, groupsAtOnceMax);
    startedRunGroups.set(db, deleteRun);
  }
  return deleteRun(run);
}

export type CancelledRun = { submissionId: string; run: number };

/** Claims cancelled runs of all workspaces that the engine may not know of yet. */
export async function claimCancelledRuns(db: Db, times: ClaimTimes, limit: number): Promise<CancelledRun[]> {
  const { rows } = await sql<CancelledRun>`
    ${claimOldest('runs_to_cancel', times, limit)} returning submission_id as "submissionId", run`.execute(db);
  return rows;
}

export async function deleteCancelledRun(db: Db, { submissionId, run }: CancelledRun): Promise<void> {
  await db.deleteFrom('runs_to_cancel').where('submission_id', '=', submissionId).where('run', '=', run).execute();
}
