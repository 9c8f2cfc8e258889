import { type FieldError, Refusal } from '@assay/contract/refusals.ts';
import { defaultProfile } from '@assay/contract/schemas/profiles/built-in.ts';
import type { PinnedProfile } from '@assay/contract/schemas/profiles/resource.ts';
import type { Severity } from '@assay/contract/schemas/severity.ts';
import { allowedIncomplete } from '@assay/sidekicks/sidekick/catalogue.ts';
import type { ProfileOrigin } from '@assay/sidekicks/sidekick/profile.ts';
import type { WorkspaceId } from '#call/caller.ts';
import { Outage } from '#platform/outage.ts';
import type { Db } from '#platform/postgres/db.ts';
import { findBuiltIn, listBuiltIns } from './built-in.ts';
import type { FoundProfile } from './profile-row.ts';
import { findDefaultProfileKey, findOwnProfile, findPinnedRevision, listOwnProfiles } from './store.ts';

type ExtendedProfile = NonNullable<FoundProfile['extends']>;

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Finds a built-in or own profile by id or name, at its newest revision by default. */
export async function findProfile(
  db: Db,
  workspaceId: WorkspaceId,
  idOrName: string,
  revision?: number,
): Promise<FoundProfile | undefined> {
  const given = uuidPattern.test(idOrName) ? idOrName.toLowerCase() : idOrName;
  const builtIn = findBuiltIn(given, revision);
  if (builtIn) return builtIn;
  return findOwnProfile(db, workspaceId, uuidPattern.test(given) ? { profileId: given } : { name: given }, revision);
}

/** 404 for a profile or revision that the workspace does not have. */
export async function requireProfile(
  db: Db,
  workspaceId: WorkspaceId,
  profileId: string,
  revision?: number,
): Promise<FoundProfile> {
  const found = await findProfile(db, workspaceId, profileId, revision);
  if (!found) throw new Refusal('profile_not_found');
  return found;
}

/** 422 if the workspace does not have the profile or revision that the request names. */
export async function requireNamedProfile(
  db: Db,
  workspaceId: WorkspaceId,
  named: { profile: string; revision?: number | undefined },
  pointers: { profile: string; revision: string },
): Promise<FoundProfile> {
  const found = await findProfile(db, workspaceId, named.profile, named.revision);
  if (found) return found;
  const newest = named.revision === undefined ? undefined : await findProfile(db, workspaceId, named.profile);
  const error: FieldError = newest
    ? {
        pointer: pointers.revision,
        code: 'unknown_revision',
        detail: `Unknown revision: ${named.revision}. The newest of ${newest.name} is ${newest.revision}.`,
      }
    : {
        pointer: pointers.profile,
        code: 'unknown_profile',
        detail: `Unknown profile: ${named.profile}. Known: ${(await listProfileNames(db, workspaceId)).join(', ')}.`,
      };
  throw new Refusal('unknown_profile', { errors: [error] });
}

async function listProfileNames(db: Db, workspaceId: WorkspaceId): Promise<string[]> {
  return [...listBuiltIns(), ...(await listOwnProfiles(db, workspaceId))].map(({ name }) => name);
}

/** Returns the workspace's default profile. Called for each submission, so that a new default applies at once. */
export async function requireDefaultProfile(db: Db, workspaceId: WorkspaceId): Promise<FoundProfile> {
  const found = await findProfile(db, workspaceId, await findDefaultProfileKey(db, workspaceId));
  return found ?? (findBuiltIn(defaultProfile) as FoundProfile);
}

/**
 * What submissions with a profile have in common, whatever its revision and name: the name of a built-in profile, or the
 * id of an own one, which may have been deleted since.
 */
export async function profileKeyOf(db: Db, workspaceId: WorkspaceId, idOrName: string): Promise<string> {
  const found = await findProfile(db, workspaceId, idOrName);
  if (!found) return uuidPattern.test(idOrName) ? idOrName.toLowerCase() : idOrName;
  return found.isBuiltIn ? found.name : found.profileId;
}

/** How a submission refers to its profile: to a built-in one by name, to an own one by `profile_id`. */
export type ProfilePin = { profile: string; profile_id: string | null; profile_revision: number };

/** What callers read of a pin. It is stored, because during an upgrade a process may not know the pinned revision. */
export type PresentedPin = ProfilePin & {
  built_in_profile_id: string | null;
  fail_on: Severity | null;
  allow_incomplete: string[] | null;
};

export const pinOf = ({ isBuiltIn, name, profileId, revision, resolved }: FoundProfile): PresentedPin => ({
  profile: name,
  profile_id: isBuiltIn ? null : profileId,
  built_in_profile_id: isBuiltIn ? profileId : null,
  profile_revision: revision,
  fail_on: resolved.failOn,
  allow_incomplete: allowedIncomplete(resolved),
});

/**
 * Submissions of previous versions pin a built-in profile without its id and gate. When they were created, no check could
 * be incomplete.
 */
export function presentPin(pin: PresentedPin): PinnedProfile {
  const { profile: name, profile_revision: revision } = pin;
  const profileId = pin.profile_id ?? pin.built_in_profile_id;
  const allowIncomplete = pin.allow_incomplete ?? [];
  if (profileId && pin.fail_on) return { profileId, name, revision, failOn: pin.fail_on, allowIncomplete };
  const { profileId: builtInId, resolved } = findBuiltIn(name, revision) as FoundProfile;
  return { profileId: builtInId, name, revision, failOn: resolved.failOn, allowIncomplete };
}

/**
 * Finds the profile that a submission is checked against, even if it has been changed or deleted since. A built-in
 * revision that is unknown here belongs to a newer version of the service, whose processes must do the work.
 */
export async function requirePinnedProfile(db: Db, workspaceId: WorkspaceId, pin: ProfilePin): Promise<FoundProfile> {
  const { profile, profile_id: profileId, profile_revision: revision } = pin;
  const found = profileId
    ? await findPinnedRevision(db, workspaceId, profileId, revision)
    : findBuiltIn(profile, revision);
  if (found) return found;
  const internal = `revision ${revision} of the profile ${profileId ?? profile} is unknown to this version`;
  if (!profileId) throw new Outage('profiles', new Error(internal));
  throw new Error(internal);
}

/** The profile that another one extends, at the fixed revision, even if it has been changed or deleted since. */
export function requireBase(db: Db, workspaceId: WorkspaceId, base: ExtendedProfile): Promise<FoundProfile> {
  const { profileId, name, revision } = base;
  const isOwn = !findBuiltIn(profileId);
  return requirePinnedProfile(db, workspaceId, {
    profile: name,
    profile_id: isOwn ? profileId : null,
    profile_revision: revision,
  });
}

/** Which built-in revision a profile extends, directly or through others: unchanged limits come from there. */
export async function findOrigin(db: Db, workspaceId: WorkspaceId, found: FoundProfile): Promise<ProfileOrigin> {
  let builtIn = found;
  while (!builtIn.isBuiltIn) builtIn = await requireBase(db, workspaceId, builtIn.extends as ExtendedProfile);
  const { name, revision } = found;
  return { name, revision, builtIn: { name: builtIn.name, revision: builtIn.revision } };
}
