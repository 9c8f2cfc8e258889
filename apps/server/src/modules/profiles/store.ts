import { profilesPerWorkspaceMax } from '@assay/contract/schemas/profiles/built-in.ts';
import { builtInProfile } from '@assay/sidekicks/profiles/built-in-profiles.ts';
import type { Profile } from '@assay/sidekicks/sidekick/profile.ts';
import { sql } from 'kysely';
import type { Mode, WorkspaceId } from '#call/caller.ts';
import { listColumns, type RowOf } from '#platform/postgres/columns.ts';
import type { DB } from '#platform/postgres/database.generated.ts';
import type { Db } from '#platform/postgres/db.ts';
import type { FoundProfile } from './profile-row.ts';
import type { ProfileDocument } from './resolve-document.ts';

const columnNames = [
  'p.profile_id as profileId',
  'r.name',
  'r.revision',
  'r.document',
  'r.resolved',
  'r.extends_id as extendsId',
  'r.extends_name as extendsName',
  'r.extends_revision as extendsRevision',
  'r.depth',
  'p.created_with as createdWith',
  'p.created_at as createdAt',
  'r.created_at as updatedAt',
] as const;
const columns = listColumns(columnNames);

type ProfileRow = RowOf<
  { p: DB['profiles']; r: DB['profile_revisions'] },
  typeof columnNames,
  { document: ProfileDocument; resolved: Profile; createdWith: Mode }
>;

/** Finds one revision, the newest by default. A name matches only the profile that currently has it. */
export async function findOwnProfile(
  db: Db,
  workspaceId: WorkspaceId,
  by: { profileId: string } | { name: string },
  revision?: number,
): Promise<FoundProfile | undefined> {
  const { rows } = await sql<ProfileRow>`
    select ${columns}
    from profiles p join profile_revisions r
      on r.profile_id = p.profile_id and r.revision = ${revision ? sql`${revision}::int` : sql`p.latest_revision`}
    where p.workspace_id = ${workspaceId} and p.deleted_at is null
      and ${'name' in by ? sql`p.name = ${by.name}` : sql`p.profile_id = ${by.profileId}`}`.execute(db);
  return rows[0] && toFoundProfile(rows[0]);
}

/** Finds a revision that a submission or another profile refers to, even if its profile was deleted. */
export async function findPinnedRevision(
  db: Db,
  workspaceId: WorkspaceId,
  profileId: string,
  revision: number,
): Promise<FoundProfile | undefined> {
  const { rows } = await sql<ProfileRow>`
    select ${columns}
    from profiles p join profile_revisions r on r.profile_id = p.profile_id and r.revision = ${revision}::int
    where p.workspace_id = ${workspaceId} and p.profile_id = ${profileId}`.execute(db);
  return rows[0] && toFoundProfile(rows[0]);
}

/** Lists the newest revisions, ordered by name. */
export async function listOwnProfiles(db: Db, workspaceId: WorkspaceId): Promise<FoundProfile[]> {
  const { rows } = await sql<ProfileRow>`
    select ${columns}
    from profiles p join profile_revisions r on r.profile_id = p.profile_id and r.revision = p.latest_revision
    where p.workspace_id = ${workspaceId} and p.deleted_at is null
    order by p.name`.execute(db);
  return rows.map(toFoundProfile);
}

function toFoundProfile({ extendsId, extendsName, extendsRevision, ...row }: ProfileRow): FoundProfile {
  const { title, description } = row.document;
  return {
    ...row,
    isBuiltIn: false,
    title,
    description,
    extends: { profileId: extendsId, name: extendsName, revision: extendsRevision },
    resolved: withEveryMember(row.resolved),
    sources: [],
  };
}

/**
 * What did not exist when the revision was created has its value from the first revision of `general`. A limit that is
 * null stays so: this profile has none.
 */
function withEveryMember(resolved: Profile): Profile {
  const first = builtInProfile('general', 1);
  const limits = Object.entries(first.limits).map(([name, group]) => {
    return [name, { ...group, ...resolved.limits[name as keyof Profile['limits']] }];
  });
  return { ...first, ...resolved, limits: Object.fromEntries(limits) };
}

export type NewRevision = Pick<FoundProfile, 'profileId' | 'name' | 'revision' | 'document' | 'resolved' | 'depth'> & {
  extends: NonNullable<FoundProfile['extends']>;
  createdAt: Date;
};

/** Serialises the changes to the profiles of a workspace, so that a profile count or a free name stays valid. */
export async function lockProfiles(db: Db, workspaceId: WorkspaceId): Promise<void> {
  await sql`select from workspaces where workspace_id = ${workspaceId} for no key update`.execute(db);
}

export async function hasRoomForProfile(db: Db, workspaceId: WorkspaceId): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from profiles
    where workspace_id = ${workspaceId} and deleted_at is null`.execute(db);
  return (rows[0]?.count ?? 0) < profilesPerWorkspaceMax;
}

export async function insertProfile(
  db: Db,
  workspaceId: WorkspaceId,
  createdWith: Mode,
  first: NewRevision,
): Promise<void> {
  await sql`
    insert into profiles (profile_id, workspace_id, name, latest_revision, created_with, created_at, updated_at)
    values (${first.profileId}, ${workspaceId}, ${first.name}, ${first.revision}, ${createdWith}, ${first.createdAt},
      ${first.createdAt})`.execute(db);
  await insertRevision(db, workspaceId, first);
}

export async function addRevision(db: Db, workspaceId: WorkspaceId, next: NewRevision): Promise<void> {
  await insertRevision(db, workspaceId, next);
  await sql`
    update profiles set name = ${next.name}, latest_revision = ${next.revision}, updated_at = ${next.createdAt}
    where profile_id = ${next.profileId} and workspace_id = ${workspaceId}`.execute(db);
}

async function insertRevision(db: Db, workspaceId: WorkspaceId, made: NewRevision): Promise<void> {
  await sql`
    insert into profile_revisions (
      profile_id, revision, workspace_id, name, document, resolved, fail_on, extends_id, extends_name, extends_revision,
      depth, created_at
    )
    values (
      ${made.profileId}, ${made.revision}, ${workspaceId}, ${made.name}, ${JSON.stringify(made.document)}::jsonb,
      ${JSON.stringify(made.resolved)}::jsonb, ${made.resolved.failOn}, ${made.extends.profileId}, ${made.extends.name},
      ${made.extends.revision}, ${made.depth}, ${made.createdAt}
    )`.execute(db);
}

export async function markProfileDeleted(
  db: Db,
  workspaceId: WorkspaceId,
  profileId: string,
  now: Date,
): Promise<void> {
  await sql`
    update profiles set deleted_at = ${now}
    where profile_id = ${profileId} and workspace_id = ${workspaceId}`.execute(db);
}

/** A job deletes their revisions when nothing refers to them any more. */
export async function markProfilesDeleted(db: Db, workspaceId: WorkspaceId, now: Date): Promise<void> {
  await sql`
    update profiles set deleted_at = ${now} where workspace_id = ${workspaceId} and deleted_at is null`.execute(db);
}

/** Returns the name of the workspace's default profile if it is built in, otherwise its id. */
export async function findDefaultProfileKey(db: Db, workspaceId: WorkspaceId): Promise<string> {
  const row = await db
    .selectFrom('workspaces')
    .select('profile')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  return row.profile;
}
