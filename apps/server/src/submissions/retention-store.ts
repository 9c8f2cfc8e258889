import { sql } from 'kysely';
import type { Mode, WorkspaceId } from '../access/caller.ts';
import type { Db } from '../handles/db.ts';
import { idFloor } from '../handles/id-floor.ts';

/**
 * Whatever hangs on a submission goes with it, in whichever room it was written: this is the one place that knows
 * all of it. What stays are ids and numbers: the counters of its version groups, answers to keys, and the credits.
 * Says which blobs it used, and in which mode.
 */
export async function removeSubmissionRows(
  db: Db,
  workspaceId: WorkspaceId,
  submissionId: string,
): Promise<{ blobIds: string[]; mode: Mode }> {
  const { rows } = await sql<{ blobId: string; mode: Mode }>`
    with gone as (
      delete from assets where submission_id = ${submissionId} and workspace_id = ${workspaceId}
      returning blob_id, version_group_id, version_number
    ), gone_versions as (
      delete from asset_versions v using gone
      where v.version_group_id = gone.version_group_id and v.version_number = gone.version_number
    ), gone_issues as (
      delete from issues where submission_id = ${submissionId} and workspace_id = ${workspaceId}
    ), gone_stills as (
      delete from stills where submission_id = ${submissionId} and workspace_id = ${workspaceId}
    ), gone_measurements as (
      delete from measurements where submission_id = ${submissionId} and workspace_id = ${workspaceId}
    ), gone_examinations as (
      delete from examinations where submission_id = ${submissionId} and workspace_id = ${workspaceId}
    ), gone_tries as (
      delete from examination_tries where submission_id = ${submissionId} and workspace_id = ${workspaceId}
    ), gone_starts as (
      delete from runs_to_start where submission_id = ${submissionId}
    ), gone_cancellations as (
      delete from runs_to_cancel where submission_id = ${submissionId}
    ), gone_deliveries as (
      delete from deliveries where submission_id = ${submissionId} and workspace_id = ${workspaceId}
    ), gone_events as (
      delete from events where submission_id = ${submissionId} and workspace_id = ${workspaceId}
    ), gone_submission as (
      delete from submissions where submission_id = ${submissionId} and workspace_id = ${workspaceId}
      returning mode
    )
    select blob_id as "blobId", mode from gone, gone_submission`.execute(db);
  // On its own, as the database lets decisions go only once their submission is gone.
  await sql`delete from issue_decisions where submission_id = ${submissionId} and workspace_id = ${workspaceId}`.execute(
    db,
  );
  return { blobIds: rows.map(({ blobId }) => blobId), mode: rows[0]?.mode ?? 'live' };
}

/** Those of submissions that the version before this one deleted while it was replaced: it did not know of decisions. */
export async function removeStrayDecisions(db: Db): Promise<void> {
  await sql`
    delete from issue_decisions d
    where not exists (select from submissions s where s.submission_id = d.submission_id)`.execute(db);
}

export type BlobUse = {
  assetCount: number;
  /** When the last of them ended; null while one of them has not. */
  endedAt: Date | null;
};

export async function findUseOfBlob(db: Db, workspaceId: WorkspaceId, blobId: string): Promise<BlobUse> {
  const { rows } = await sql<BlobUse>`
    select count(*)::int as "assetCount",
      case when count(*) = count(completed_at) then max(completed_at) end as "endedAt"
    from assets where blob_id = ${blobId} and workspace_id = ${workspaceId}`.execute(db);
  return rows[0] as BlobUse;
}

export type Expired = { submissionId: string; workspaceId: WorkspaceId };

/** Those that ended before this moment, over all workspaces, after this id. */
export async function findExpiredSubmissions(
  db: Db,
  before: Date,
  afterId: string | undefined,
  limit: number,
): Promise<Expired[]> {
  const { rows } = await sql<Expired>`
    select submission_id as "submissionId", workspace_id as "workspaceId" from submissions
    where submission_id < ${idFloor(before)} and completed_at < ${before}
      ${afterId ? sql`and submission_id > ${afterId}` : sql``}
    order by submission_id limit ${limit}`.execute(db);
  return rows;
}

export async function isExpired(
  db: Db,
  workspaceId: WorkspaceId,
  submissionId: string,
  before: Date,
): Promise<boolean> {
  const { rows } = await sql`
    select from submissions
    where submission_id = ${submissionId} and workspace_id = ${workspaceId} and completed_at < ${before}`.execute(db);
  return rows.length > 0;
}

/** Partitions of the months to come. */
export async function makeMonths(db: Db, first: Date, count: number): Promise<void> {
  await sql`select make_months(${first}, ${count})`.execute(db);
}

export async function dropEmptyMonths(db: Db, before: Date): Promise<void> {
  await sql`select drop_empty_months(${before})`.execute(db);
}
