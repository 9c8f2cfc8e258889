import { sql } from 'kysely';
import type { WorkspaceId } from '#call/caller.ts';
import { type Db, inTransaction } from '#platform/postgres/db.ts';
import { lockSubmission } from '../progress-store.ts';

/** A run that the engine should be processing, with its unsettled assets. */
export type UnfinishedRun = {
  workspaceId: WorkspaceId;
  submissionId: string;
  run: number;
  restartCount: number;
  assets: { assetId: string; attempt: number }[];
};

/**
 * Unfinished runs that were last compared with the engine over `afterSeconds` ago, by the database's clock. Each
 * submission is claimed by one worker, so that several workers share the job.
 */
export async function claimUnfinishedRuns(db: Db, afterSeconds: number, limit: number): Promise<UnfinishedRun[]> {
  const { rows } = await sql<UnfinishedRun>`
    with claimed as (
      update submissions set engine_asked_at = now()
      where submission_id in (
        select submission_id from submissions
        where completed_at is null
          and coalesce(engine_asked_at, created_at) < now() - make_interval(secs => ${afterSeconds})
        order by coalesce(engine_asked_at, created_at) limit ${limit} for update skip locked
      ) and completed_at is null
      returning submission_id, workspace_id
    )
    select c.workspace_id as "workspaceId", c.submission_id as "submissionId", a.run,
      max(a.restart_count) as "restartCount",
      json_agg(json_build_object('assetId', a.asset_id, 'attempt', a.attempt)) as assets
    from claimed c join assets a on a.submission_id = c.submission_id
    where a.status in ('submitted', 'processing')
      and not exists (select from runs_to_start r where r.submission_id = a.submission_id and r.run = a.run)
    group by c.workspace_id, c.submission_id, a.run`.execute(db);
  return rows;
}

/** After this many restarts the engine is not expected to finish a run. */
export const restartsMax = 5;

/** Moves assets that are unsettled and still in this run to a new run, which the sweeper starts. */
export async function moveToNextRun(
  db: Db,
  { workspaceId, submissionId, run, assets }: Omit<UnfinishedRun, 'restartCount'>,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await lockSubmission(transaction, workspaceId, submissionId);
    await sql`
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
      )
      insert into runs_to_start (submission_id, run, workspace_id, created_at)
      select distinct ${submissionId}::uuid, run, ${workspaceId}::uuid, now() from moved`.execute(transaction);
  });
}
