import type { AssetErrorType } from '@assay/contract/asset-failures.ts';
import { sql } from 'kysely';
import type { WorkspaceId } from '../access/caller.ts';
import type { Db } from '../handles/db.ts';
import { type AssetState, submissionStatus } from './status.ts';

export type Attempt = { assetId: string; attempt: number };

// Everyone who changes assets holds their submission first: of two that come at once one waits, and never each for the other.
const held = (workspaceId: WorkspaceId, submissionId: string) => sql`
  held as materialized (
    select submission_id from submissions
    where submission_id = ${submissionId} and workspace_id = ${workspaceId} for update
  )`;

const asRows = (attempts: Attempt[]) => sql`
  unnest(${attempts.map(({ assetId }) => assetId)}::uuid[], ${attempts.map(({ attempt }) => attempt)}::int[])
    as one (id, number)`;

/** Those of these assets that wait, and are still in this attempt, begin. One that has begun is processing, whatever the others are. */
export async function beginAssets(
  db: Db,
  workspaceId: WorkspaceId,
  submissionId: string,
  assets: Attempt[],
): Promise<void> {
  await sql`
    with ${held(workspaceId, submissionId)}, begun as (
      update assets set status = 'processing', progress_percent = 0
      from held, ${asRows(assets)}
      where assets.submission_id = held.submission_id
        and asset_id = one.id and attempt = one.number and status = 'submitted'
      returning asset_id
    )
    update submissions set status = 'processing'
    where submission_id = ${submissionId} and workspace_id = ${workspaceId} and status = 'submitted'
      and exists (select from begun)`.execute(db);
}

/** These at once, without results: what a rehearsal ends with. If these are all, the submission ends with them. */
export async function completeRehearsal(
  db: Db,
  workspaceId: WorkspaceId,
  submissionId: string,
  assets: Attempt[],
  completedAt: Date,
): Promise<void> {
  await sql`
    with ${held(workspaceId, submissionId)}, completed as (
      update assets set status = 'complete', progress_percent = 100, completed_at = ${completedAt}::timestamptz
      from held, ${asRows(assets)}
      where assets.submission_id = held.submission_id
        and asset_id = one.id and attempt = one.number and status in ('submitted', 'processing')
      returning asset_id
    )
    update submissions set status = ${submissionStatus(['complete'])}, completed_at = ${completedAt}::timestamptz
    where submission_id = ${submissionId} and workspace_id = ${workspaceId}
      and (select count(*) from completed) = (select count(*) from assets where submission_id = ${submissionId})`.execute(
    db,
  );
}

/** What has not ended fails as cancelled; the submission is locked. Says in which runs that was. */
export async function cancelAssets(
  db: Db,
  workspaceId: WorkspaceId,
  submissionId: string,
  cancelledAt: Date,
): Promise<number[]> {
  const { rows } = await sql<{ run: number }>`
    with cancelled as (
      update assets set status = 'failed', error_type = ${'cancelled' satisfies AssetErrorType},
        completed_at = ${cancelledAt}::timestamptz
      where submission_id = ${submissionId} and workspace_id = ${workspaceId} and status in ('submitted', 'processing')
      returning run
    ), never_started as (
      delete from runs_to_start where submission_id = ${submissionId}
    ), forgotten as (
      delete from examinations where submission_id = ${submissionId} and workspace_id = ${workspaceId}
    )
    insert into runs_to_cancel (submission_id, run, created_at)
    select distinct ${submissionId}::uuid, run, ${cancelledAt}::timestamptz from cancelled
    returning run`.execute(db);
  return rows.map(({ run }) => run);
}

/** Never falls within an attempt; 100 is for those that are complete. */
export async function raiseProgress(
  db: Db,
  workspaceId: WorkspaceId,
  submissionId: string,
  { assetId, attempt }: Attempt,
  percent: number,
): Promise<void> {
  const progress = Math.min(99, Math.floor(percent));
  await db
    .updateTable('assets')
    .set({ progress_percent: progress })
    .where('submission_id', '=', submissionId)
    .where('asset_id', '=', assetId)
    .where('workspace_id', '=', workspaceId)
    .where('attempt', '=', attempt)
    .where('status', '=', 'processing')
    .where('progress_percent', '<', progress)
    .execute();
}

export type Settlement = Attempt & { completedAt: Date } & (
    | {
        status: 'complete';
        issueCount: number;
        checks: object[];
        topics: object;
        contentSha256: Buffer;
      }
    | { status: 'failed'; errorType: AssetErrorType }
  );

/** An attempt is settled once: what is settled stays as it is. */
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
        };
  await db
    .updateTable('assets')
    .set({ status: settlement.status, completed_at: completedAt, ...outcome })
    .where('submission_id', '=', submissionId)
    .where('asset_id', '=', assetId)
    .where('workspace_id', '=', workspaceId)
    .where('attempt', '=', attempt)
    .where('status', 'in', ['submitted', 'processing'])
    .execute();
}

/** Holds a submission until the transaction ends, so that of two assets that settle at once one sees the other. */
export async function lockSubmission(db: Db, workspaceId: WorkspaceId, submissionId: string): Promise<void> {
  await db
    .selectFrom('submissions')
    .select('submission_id')
    .where('submission_id', '=', submissionId)
    .where('workspace_id', '=', workspaceId)
    .forUpdate()
    .execute();
}

/** Writes down what the assets now make of their submission. */
export async function refreshStatus(db: Db, workspaceId: WorkspaceId, submissionId: string): Promise<void> {
  const { rows } = await sql<{ status: AssetState['status']; completed_at: Date | null }>`
    select status, max(completed_at) as completed_at from assets
    where submission_id = ${submissionId} and workspace_id = ${workspaceId} group by status`.execute(db);
  const status = submissionStatus(rows.map((row) => row.status));
  const isOver = status === 'complete' || status === 'failed';
  const lastMillis = Math.max(...rows.map((row) => row.completed_at?.getTime() ?? 0));
  await db
    .updateTable('submissions')
    .set({ status, completed_at: isOver ? new Date(lastMillis) : null })
    .where('submission_id', '=', submissionId)
    .where('workspace_id', '=', workspaceId)
    .where('status', '<>', status)
    .execute();
}
