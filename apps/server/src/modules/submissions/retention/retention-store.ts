import { sql } from 'kysely';
import type { WorkspaceId } from '#call/caller.ts';
import type { Db } from '#platform/postgres/db.ts';
import { idFloor } from '#platform/postgres/id-floor.ts';

export type ExpiredSubmission = { submissionId: string; workspaceId: WorkspaceId };

/** Finds submissions of all workspaces that finished before this time and whose id follows this one. */
export async function findExpiredSubmissions(
  db: Db,
  before: Date,
  afterId: string | undefined,
  limit: number,
): Promise<ExpiredSubmission[]> {
  const { rows } = await sql<ExpiredSubmission>`
    select submission_id as "submissionId", workspace_id as "workspaceId" from submissions
    where submission_id < ${idFloor(before)} and completed_at < ${before}
      ${afterId ? sql`and submission_id > ${afterId}` : sql``}
    order by submission_id limit ${limit}`.execute(db);
  return rows;
}

/** Up to `limit` submissions of a workspace, whatever their state. */
export async function findSubmissionsOf(db: Db, workspaceId: WorkspaceId, limit: number): Promise<string[]> {
  const { rows } = await sql<{ submissionId: string }>`
    select submission_id as "submissionId" from submissions where workspace_id = ${workspaceId} limit ${limit}`.execute(
    db,
  );
  return rows.map(({ submissionId }) => submissionId);
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
