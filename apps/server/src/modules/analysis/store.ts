import { type ExpressionBuilder, sql } from 'kysely';
import type { WorkspaceId } from '#call/caller.ts';
import type { StoredFinding } from '#modules/results/store.ts';
import type { StoredCheck } from '#modules/submissions/stored-check.ts';
import type { StoredMedia } from '#modules/submissions/stored-media.ts';
import type { DB } from '#platform/postgres/database.generated.ts';
import type { Db } from '#platform/postgres/db.ts';

export type Examination = {
  assetId: string;
  attempt: number;
  contentSha256: Buffer;
  checks: StoredCheck[];
  findings: StoredFinding[];
  media: StoredMedia | null;
};

/**
 * Records an examination and replaces an earlier one of the same attempt, because an activity may run twice. Records it
 * only while the attempt is in progress: a delayed worker must not restore what was settled, cancelled or deleted in
 * the meantime. Returns whether the examination was recorded.
 */
export async function recordExamination(
  db: Db,
  workspaceId: WorkspaceId,
  submissionId: string,
  { assetId, attempt, contentSha256, checks, findings, media }: Examination,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into examinations (submission_id, asset_id, attempt, workspace_id, content_sha256, checks, findings, media)
    select submission_id, asset_id, attempt, workspace_id, ${contentSha256}::bytea, ${JSON.stringify(checks)}::jsonb,
      ${JSON.stringify(findings)}::jsonb, ${media && JSON.stringify(media)}::jsonb
    from assets
    where submission_id = ${submissionId} and asset_id = ${assetId} and workspace_id = ${workspaceId}
      and attempt = ${attempt} and status = 'processing'
    for share
    on conflict (submission_id, asset_id, attempt)
    do update set content_sha256 = excluded.content_sha256, checks = excluded.checks, findings = excluded.findings,
      media = excluded.media`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

type AttemptKey = Pick<Examination, 'assetId' | 'attempt'>;

const ofAttempt =
  (workspaceId: WorkspaceId, submissionId: string, { assetId, attempt }: AttemptKey) =>
  (of: ExpressionBuilder<DB, 'examinations'>) =>
    of.and({ submission_id: submissionId, asset_id: assetId, attempt, workspace_id: workspaceId });

/** Whether the examination of an attempt is recorded and not yet settled. */
export async function hasExamination(
  db: Db,
  workspaceId: WorkspaceId,
  submissionId: string,
  attempt: AttemptKey,
): Promise<boolean> {
  const row = await db
    .selectFrom('examinations')
    .select('attempt')
    .where(ofAttempt(workspaceId, submissionId, attempt))
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes and returns an examination, whose findings are then stored as issues. */
export async function takeExamination(db: Db, workspaceId: WorkspaceId, submissionId: string, attempt: AttemptKey) {
  const row = await db
    .deleteFrom('examinations')
    .where(ofAttempt(workspaceId, submissionId, attempt))
    .returning(['content_sha256', 'checks', 'findings', 'media'])
    .executeTakeFirst();
  return (
    row && {
      contentSha256: row.content_sha256,
      checks: row.checks as unknown as StoredCheck[],
      findings: row.findings as unknown as StoredFinding[],
      media: row.media as unknown as StoredMedia | null,
    }
  );
}

/** Deletes the examinations of a submission that are not settled yet. */
export async function deleteExaminations(db: Db, workspaceId: WorkspaceId, submissionId: string): Promise<void> {
  await db
    .deleteFrom('examinations')
    .where('submission_id', '=', submissionId)
    .where('workspace_id', '=', workspaceId)
    .execute();
}

/** Deletes all rows of a submission from the tables of this module. */
export async function removeExaminationRows(db: Db, workspaceId: WorkspaceId, submissionId: string): Promise<void> {
  await sql`
    with gone_tries as (
      delete from examination_tries where submission_id = ${submissionId} and workspace_id = ${workspaceId}
    )
    delete from examinations where submission_id = ${submissionId} and workspace_id = ${workspaceId}`.execute(db);
}
