import { sql } from 'kysely';
import type { Mode, WorkspaceId } from '#call/caller.ts';
import type { Db } from '#platform/postgres/db.ts';

/**
 * Deletes the rows of a submission in the tables of this module. Ids and numbers remain: the counters of its version
 * groups, stored responses, and credits. Returns its blobs and its mode.
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
    ), gone_starts as (
      delete from runs_to_start where submission_id = ${submissionId}
    ), gone_cancellations as (
      delete from runs_to_cancel where submission_id = ${submissionId}
    ), gone_submission as (
      delete from submissions where submission_id = ${submissionId} and workspace_id = ${workspaceId}
      returning mode
    )
    select blob_id as "blobId", mode from gone, gone_submission`.execute(db);
  return { blobIds: rows.map(({ blobId }) => blobId), mode: rows[0]?.mode ?? 'live' };
}
