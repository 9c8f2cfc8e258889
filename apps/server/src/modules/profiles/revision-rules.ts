import { Refusal } from '@assay/contract/refusals.ts';
import { profileDepthMax } from '@assay/contract/schemas/profiles/built-in.ts';
import type { WorkspaceId } from '#call/caller.ts';
import type { Db } from '#platform/postgres/db.ts';
import { isBuiltIn } from './built-in.ts';
import type { FoundProfile } from './profile-row.ts';
import { type GivenDocument, type ProfileDocument, resolveDocument } from './resolve-document.ts';
import { findOwnProfile, type NewRevision } from './store.ts';

export const extendsPointers = { profile: '/extends/profile', revision: '/extends/revision' };

/** 409 if another profile of the workspace, or a built-in one, has this name. */
export async function refuseTakenName(
  db: Db,
  workspaceId: WorkspaceId,
  name: string,
  ownProfileId?: string,
): Promise<void> {
  const other = isBuiltIn(name) ? undefined : await findOwnProfile(db, workspaceId, { name });
  if (isBuiltIn(name) || (other && other.profileId !== ownProfileId)) throw new Refusal('profile_name_taken');
}

/** Returns the content of a new revision; 422 if it contradicts itself or its inheritance chain is too long. */
export function resolveOrRefuse(
  base: FoundProfile,
  document: ProfileDocument,
  given: GivenDocument,
): Pick<NewRevision, 'document' | 'resolved' | 'extends' | 'depth'> {
  const depth = base.depth + 1;
  if (depth > profileDepthMax) {
    const detail = `extends must lead to at most ${profileDepthMax} profiles, one on top of the other.`;
    const errors = [{ pointer: given.extends ? '/extends' : '', code: 'invalid_profile', detail }];
    throw new Refusal('validation_failed', { errors });
  }
  const { resolved, errors } = resolveDocument(base.resolved, document, given);
  if (errors.length > 0) throw new Refusal('validation_failed', { errors });
  const { profileId, name, revision } = base;
  return { document, resolved, depth, extends: { profileId, name, revision } };
}
