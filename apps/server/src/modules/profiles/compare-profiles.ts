import type { Call, Reply } from '#call/call.ts';
import type { Handles } from '#platform/handles.ts';
import { differencesOf } from './differences.ts';
import { requireNamedProfile, requireProfile } from './find-profile.ts';
import type { FoundProfile } from './profile-row.ts';

const withPointers = { profile: '/with', revision: '/withRevision' };

export async function compareProfiles(
  { caller: { workspaceId }, params, query }: Call<'compareProfiles'>,
  { db }: Handles,
): Promise<Reply<'compareProfiles'>> {
  const left = await requireProfile(db, workspaceId, params.profileId, query.revision); // 404
  const named = { profile: query.with, revision: query.withRevision };
  const right = await requireNamedProfile(db, workspaceId, named, withPointers); // 422
  return {
    left: identityOf(left),
    right: identityOf(right),
    differences: differencesOf(left.resolved, right.resolved),
  };
}

const identityOf = ({ profileId, name, revision }: FoundProfile) => ({ profileId, name, revision });
