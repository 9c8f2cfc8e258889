import type { Profile as Resource } from '@assay/contract/schemas/profiles/resource.ts';
import type { Call, Reply } from '#call/call.ts';
import type { WorkspaceId } from '#call/caller.ts';
import type { Handles } from '#platform/handles.ts';
import type { Db } from '#platform/postgres/db.ts';
import { findProfile, requireProfile } from './find-profile.ts';
import { presentProfile } from './present-profile.ts';
import type { FoundProfile } from './profile-row.ts';
import { findDefaultProfileKey } from './store.ts';

export async function getProfile(
  { caller: { workspaceId }, params, query }: Call<'getProfile'>,
  { db }: Handles,
): Promise<Reply<'getProfile'>> {
  return readProfile(db, workspaceId, params.profileId, query.revision); // 404
}

export async function readProfile(
  db: Db,
  workspaceId: WorkspaceId,
  profileId: string,
  revision?: number,
): Promise<Resource> {
  const found = await requireProfile(db, workspaceId, profileId, revision);
  const baseUpdate = await findBaseUpdate(db, workspaceId, found);
  return presentProfile(found, await findDefaultProfileKey(db, workspaceId), baseUpdate);
}

/** The newer revision of the profile that an own one extends; null if there is none, or the profile was deleted. */
async function findBaseUpdate(
  db: Db,
  workspaceId: WorkspaceId,
  { isBuiltIn, extends: base }: FoundProfile,
): Promise<Resource['baseUpdate']> {
  if (isBuiltIn || !base) return null;
  const newest = await findProfile(db, workspaceId, base.profileId);
  if (!newest || newest.revision <= base.revision) return null;
  return { name: newest.name, revision: base.revision, latestRevision: newest.revision };
}
