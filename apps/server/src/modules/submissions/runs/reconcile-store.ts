import { sql } from 'kysely';
import type { Mode, WorkspaceId } from '#call/caller.ts';
import { type Db, inTransaction } from '#platform/postgres/db.ts';
import { lockSubmission } from '../progress-store.ts';

/** A run that the engine should be processing, with its unsettled assets. */
export type UnfinishedRun = {
  workspaceId: WorkspaceId;
  submissionId: string;
  mode: Mode;
  run: number;
  restartCount: number;
  assets: { assetId: string; attempt: number }[];
};

export type UnfinishedSubmission = Pick<UnfinishedRun, 'workspaceId' | 'submissionId' | 'mode'> & {
  runs: Omit<UnfinishedRun, 'workspaceId' | 'submissionId' | 'mode'>[];
};

/**
 * Unfinished submissions whose runs were last compared with the engine over `afterSeconds` ago, by the database's clock.
 * Each is claimed by one worker, so that several workers share the job. Runs that are still to be started are left out.
 */
export async function claimUnfinishedRuns(
  db: Db,
  afterSeconds: number,
  limit: number,
): Promise<UnfinishedSubmission[]> {
  const { rows } = await sql<UnfinishedSubmission>`
    with claimed as (
      update submissions set engine_asked_at = now()
      where submission_id = any(array(
        select submission_id from submissions
        where completed_at is null
          and coalesce(engine_asked_at, created_at) < now() - make_interval(secs => ${afterSeconds})
        order by coalesce(engine_asked_at, created_at) limit ${limit} for update skip locked
      )) and completed_at is null
      returning submission_id, workspace_id, mode
    )
    select c.workspace_id as "workspaceId", c.submission_id as "submissionId", c.mode, coalesce((
      select json_agg(unfinished) from (
        select a.run, max(a.restart_count) as "restartCount",
          json_agg(json_build_object('assetId', a.asset_id, 'attempt', a.attempt)) as assets
        from assets a
        where a.submission_id = c.submission_id and a.status in ('submitted', 'processing')
          and not exists (select from runs_to_start r where r.submission_id = a.submission_id and r.run = a.run)
        group by a.run
      ) as unfinished
    ), '[]') as runs
    from claimed c`.execute(db);
  return rows;
}

/** After this many restarts the engine is not expected to finish a run. */
export const restartsMax = 5;

/** Moves assets that are unsettled and still in this run to a new run, which the sweeper starts. Returns their number. */
export async function moveToNextRun(
  db: Db,
  { workspaceId, submissionId, run, assets }: Pick<UnfinishedRun, 'workspaceId' | 'submissionId' | 'run' | 'assets'>,
): Promise<number> {
  return inTransaction(db, async (transaction) => {
    await lockSubmission(transaction, workspaceId, submissionId);
    const { rows } = await sql<{ count: number }>`
      with moved as (
        update assets set run = s.run + 1, restart_count = restart_count + 1
        from submissions s
        where s.submission_id = ${submissionId} and s.workspace_id = ${workspaceId}
          and assets.submission_id = s.submission_id and assets.run = ${run}
          and assets.asset_id = any(${assets.map(({ assetId }) => assetId)}::uuid[])
          and assets.status in ('submitted', 'processing')
        returning assets.run
      ), counted as (
        update submissions set run = run + 1
        where submission_id = ${submissionId} and workspace_id = ${workspaceId} and exists (select from moved)
      ), started as (
        insert into runs_to_start (submission_id, run, workspace_id, created_at)
        select distinct ${submissionId}::uuid, run, ${workspaceId}::uuid, now() from moved
      )
      select count(*)::int as count from moved`.execute(transaction);
    return rows[0]?.count ?? 0;
  });
}
