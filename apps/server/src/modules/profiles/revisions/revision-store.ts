import { sql } from 'kysely';
import type { WorkspaceId } from '#call/caller.ts';
import type { Db } from '#platform/postgres/db.ts';

export type DeletedProfile = { profileId: string; workspaceId: WorkspaceId };

/**
 * Claims profiles of all workspaces that were deleted before this time and not checked since. A deleted profile without
 * revisions is removed, so the table has only those that are in use.
 */
export async function claimDeletedProfiles(db: Db, now: Date, before: Date, limit: number): Promise<DeletedProfile[]> {
  const { rows } = await sql<DeletedProfile>`
    update profiles set revisions_checked_at = ${now}::timestamptz
    where profile_id = any(array(
      select profile_id from profiles
      where deleted_at < ${before} and (revisions_checked_at is null or revisions_checked_at < ${before})
      limit ${limit} for update skip locked
    ))
    returning profile_id as "profileId", workspace_id as "workspaceId"`.execute(db);
  return rows;
}

/**
 * Deletes revisions of a deleted profile that no submission refers to, and that no profile extends which may still be
 * changed: changing it needs what it extends. Returns whether it deleted as many as it may at once.
 */
export async function deleteUnreferenced(
  db: Db,
  { profileId, workspaceId }: DeletedProfile,
  limit: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from profile_revisions where (profile_id, revision) in (
      select profile_id, revision from profile_revisions r
      where r.profile_id = ${profileId} and r.workspace_id = ${workspaceId}
        and not exists (
          select from submissions s
          where s.profile_id = r.profile_id and s.profile_revision = r.revision and s.profile_id is not null
        )
        and not exists (
          select from profiles p
          join profile_revisions newest on newest.profile_id = p.profile_id and newest.revision = p.latest_revision
          where p.workspace_id = ${workspaceId} and p.deleted_at is null
            and newest.extends_id = r.profile_id and newest.extends_revision = r.revision
        )
      limit ${limit}
    )`.execute(db);
  return numAffectedRows === BigInt(limit);
}

export async function deleteWithoutRevisions(db: Db, { profileId, workspaceId }: DeletedProfile): Promise<void> {
  await sql`
    delete from profiles p
    where p.profile_id = ${profileId} and p.workspace_id = ${workspaceId} and p.deleted_at is not null
      and not exists (select from profile_revisions r where r.profile_id = p.profile_id)`.execute(db);
}
