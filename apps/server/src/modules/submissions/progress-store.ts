import type { AssetErrorType } from '@assay/contract/asset-failures.ts';
import { sql } from 'kysely';
import type { Mode, WorkspaceId } from '#call/caller.ts';
import type { Db } from '#platform/postgres/db.ts';
import type { EventRow } from './event-subject.ts';
import { assetVerdict, type Judgement, type SubmissionState, submissionVerdict } from './judgement.ts';
import { type AssetState, submissionStatus } from './status.ts';
import type { StoredCheck } from './stored-check.ts';

export type Attempt = { assetId: string; attempt: number };

// Every change of assets locks their submission first, so that concurrent changes never deadlock. Each change is the
// submission's next revision, and its assets record the revision in which they last changed. Nobody can examine or complete
// a submission of the other mode by starting the wrong workflow.
const lockedSubmissionCte = (workspaceId: WorkspaceId, submissionId: string, mode: Mode) => sql`
  held as materialized (
    select submission_id, revision + 1 as next_revision from submissions
    where submission_id = ${submissionId} and workspace_id = ${workspaceId} and mode = ${mode} for update
  )`;

const attemptRows = (attempts: Attempt[]) => sql`
  unnest(${attempts.map(({ assetId }) => assetId)}::uuid[], ${attempts.map(({ attempt }) => attempt)}::int[])
    as one (id, number)`;

/** Sets assets that are waiting and still in this attempt to `processing`, and their submission too. */
export async function beginAssets(
  db: Db,
  workspaceId: WorkspaceId,
  submissionId: string,
  mode: Mode,
  assets: Attempt[],
): Promise<void> {
  await sql`
    with ${lockedSubmissionCte(workspaceId, submissionId, mode)}, begun as (
      update assets set status = 'processing', progress_percent = 0, revision = held.next_revision
      from held, ${attemptRows(assets)}
      where assets.submission_id = held.submission_id
        and asset_id = one.id and attempt = one.number and status = 'submitted'
      returning asset_id
    )
    update submissions set revision = held.next_revision,
      status = case status when 'submitted' then 'processing' else status end
    from held where submissions.submission_id = held.submission_id and exists (select from begun)`.execute(db);
}

/** Completes these assets of a simulated run, without results, and the submission if it has no others. */
export async function completeSimulatedRun(
  db: Db,
  workspaceId: WorkspaceId,
  submissionId: string,
  assets: Attempt[],
): Promise<void> {
  await sql`
    with ${lockedSubmissionCte(workspaceId, submissionId, 'sandbox')}, completed as (
      update assets set status = 'complete', progress_percent = 100, completed_at = now(),
        revision = held.next_revision
      from held, ${attemptRows(assets)}
      where assets.submission_id = held.submission_id
        and asset_id = one.id and attempt = one.number and status in ('submitted', 'processing')
      returning asset_id
    )
    update submissions set revision = held.next_revision,
      status = case when is_all then ${submissionStatus(['complete'])} else status end,
      completed_at = case when is_all then now() else completed_at end
    from held, (
      select (select count(*) from completed) = (select count(*) from assets where submission_id = ${submissionId}) as is_all
    ) as done
    where submissions.submission_id = held.submission_id and exists (select from completed)`.execute(db);
}

/** Fails unfinished assets as cancelled; the submission must be locked. Returns these assets and their runs. */
export async function cancelAssets(
  db: Db,
  workspaceId: WorkspaceId,
  submissionId: string,
  cancelledAt: Date,
): Promise<{ runs: number[]; assets: EventRow[] }> {
  const { rows } = await sql<EventRow & { run: number }>`
    with cancelled as (
      update assets set status = 'failed', error_type = ${'cancelled' satisfies AssetErrorType},
        completed_at = ${cancelledAt}::timestamptz, revision = ${nextRevision(submissionId)}
      where submission_id = ${submissionId} and workspace_id = ${workspaceId} and status in ('submitted', 'processing')
      returning asset_id, version_group_id, version_number, attempt, run
    ), never_started as (
      delete from runs_to_start where submission_id = ${submissionId}
    ), to_cancel as (
      insert into runs_to_cancel (submission_id, run, created_at)
      select distinct ${submissionId}::uuid, run, ${cancelledAt}::timestamptz from cancelled
    )
    select * from cancelled`.execute(db);
  return { runs: [...new Set(rows.map(({ run }) => run))], assets: rows };
}

/** The submission must be locked; `refreshStatus` then writes this revision. */
function nextRevision(submissionId: string) {
  return sql<number>`(select revision + 1 from submissions where submission_id = ${submissionId})`;
}

/** Raises the progress of an asset. It never decreases within an attempt; 100 is reserved for complete assets. */
export async function raiseProgress(
  db: Db,
  workspaceId: WorkspaceId,
  submissionId: string,
  { assetId, attempt }: Attempt,
  percent: number,
): Promise<void> {
  const progress = Math.min(99, Math.floor(percent));
  await sql`
    with ${lockedSubmissionCte(workspaceId, submissionId, 'live')}, raised as (
      update assets set progress_percent = ${progress}, revision = held.next_revision
      from held
      where assets.submission_id = held.submission_id and asset_id = ${assetId} and attempt = ${attempt}
        and status = 'processing' and progress_percent < ${progress}
      returning asset_id
    )
    update submissions set revision = held.next_revision
    from held where submissions.submission_id = held.submission_id and exists (select from raised)`.execute(db);
}

export type Settlement = Attempt & { completedAt: Date } & (
    | {
        status: 'complete';
        issueCount: number;
        checks: readonly StoredCheck[];
        topics: object;
        contentSha256: Buffer;
        media: object | null;
        judgement: Judgement;
      }
    | { status: 'failed'; errorType: AssetErrorType }
  );

/** An attempt is settled once; a settled attempt does not change. */
export async function settleAsset(
  db: Db,
  workspaceId: WorkspaceId,
  submissionId: string,
  settlement: Settlement,
): Promise<void> {
  const { assetId, attempt, completedAt } = settlement;
  const outcome =
    settlement.status === 'failed'
      ? { error_type: settlement.errorType }
      : {
          progress_percent: 100,
          issue_count: settlement.issueCount,
          checks: JSON.stringify(settlement.checks),
          topics: JSON.stringify(settlement.topics),
          content_sha256: settlement.contentSha256,
          media: settlement.media && JSON.stringify(settlement.media),
          judgement: JSON.stringify(settlement.judgement),
        };
  await db
    .updateTable('assets')
    .set({ status: settlement.status, completed_at: completedAt, revision: nextRevision(submissionId), ...outcome })
    .where('submission_id', '=', submissionId)
    .where('asset_id', '=', assetId)
    .where('workspace_id', '=', workspaceId)
    .where('attempt', '=', attempt)
    .where('status', 'in', ['submitted', 'processing'])
    .execute();
}

/**
 * Locks a submission until the transaction ends, so that assets that settle concurrently see each other. Returns the
 * database's time, because retention compares the times that are written now with it; undefined if there is no such
 * submission.
 */
export async function lockSubmission(
  db: Db,
  workspaceId: WorkspaceId,
  submissionId: string,
): Promise<Date | undefined> {
  const { rows } = await sql<{ now: Date }>`
    select clock_timestamp() as now from submissions
    where submission_id = ${submissionId} and workspace_id = ${workspaceId} for update`.execute(db);
  return rows[0]?.now;
}

/** Stores the verdict on a complete asset; the submission must be locked, and `refreshStatus` must follow. */
export async function storeJudgement(
  db: Db,
  workspaceId: WorkspaceId,
  submissionId: string,
  assetId: string,
  judgement: Judgement,
): Promise<void> {
  await db
    .updateTable('assets')
    .set({ judgement: JSON.stringify(judgement), revision: nextRevision(submissionId) })
    .where('submission_id', '=', submissionId)
    .where('asset_id', '=', assetId)
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', 'complete')
    .execute();
}

/** Ends a change of assets: writes the next revision and the resulting status and verdict of their submission. */
export async function refreshStatus(
  db: Db,
  workspaceId: WorkspaceId,
  submissionId: string,
  mode: Mode,
): Promise<SubmissionState> {
  const { rows } = await sql<{
    status: AssetState['status'];
    judgement: Judgement | null;
    completed_at: Date | null;
  }>`
    select status, judgement, completed_at from assets
    where submission_id = ${submissionId} and workspace_id = ${workspaceId}`.execute(db);
  const status = submissionStatus(rows.map((row) => row.status));
  const isFinished = status === 'complete' || status === 'failed';
  const lastMillis = Math.max(...rows.map((row) => row.completed_at?.getTime() ?? 0));
  const completedAt = isFinished ? new Date(lastMillis) : null;
  const verdict = submissionVerdict(rows.map((row) => assetVerdict({ ...row, mode })));
  await db
    .updateTable('submissions')
    .set((eb) => ({
      status,
      completed_at: completedAt,
      verdict: verdict.verdict,
      revision: eb('revision', '+', 1),
    }))
    .where('submission_id', '=', submissionId)
    .where('workspace_id', '=', workspaceId)
    .execute();
  return { status, completedAt, ...verdict };
}
