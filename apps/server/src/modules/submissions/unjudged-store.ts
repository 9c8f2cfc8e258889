import { sql } from 'kysely';
import type { WorkspaceId } from '#call/caller.ts';
import type { Db } from '#platform/postgres/db.ts';

export type UnjudgedSubmission = { submissionId: string; workspaceId: WorkspaceId };

const columns = sql`submission_id as "submissionId", workspace_id as "workspaceId"`;

/** Finished live submissions of all workspaces without a stored verdict, the newest first. */
export async function listWithoutVerdict(
  db: Db,
  beforeId: string | undefined,
  limit: number,
): Promise<UnjudgedSubmission[]> {
  const { rows } = await sql<UnjudgedSubmission>`
    select ${columns} from submissions
    where completed_at is not null and verdict is null and mode = 'live'
      ${beforeId ? sql`and submission_id < ${beforeId}` : sql``}
    order by submission_id desc limit ${limit}`.execute(db);
  return rows;
}

/** Submissions of all workspaces with decisions of a version that does not store verdicts. */
export async function listToJudge(db: Db, afterId: string | undefined, limit: number): Promise<UnjudgedSubmission[]> {
  const { rows } = await sql<UnjudgedSubmission>`
    select ${columns} from submissions_to_judge
    ${afterId ? sql`where submission_id > ${afterId}` : sql``}
    order by submission_id limit ${limit}`.execute(db);
  return rows;
}

/** Called with the submission locked, before it is judged: a decision that is committed later is listed again. */
export async function deleteToJudge(db: Db, submissionId: string): Promise<void> {
  await sql`delete from submissions_to_judge where submission_id = ${submissionId}`.execute(db);
}
