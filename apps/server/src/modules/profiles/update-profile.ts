import { isDeepStrictEqual } from 'node:util';
import { Refusal } from '@assay/contract/refusals.ts';
import { defaultProfile, revisionsPerProfileMax } from '@assay/contract/schemas/profiles/built-in.ts';
import type { Call, Reply } from '#call/call.ts';
import type { Caller } from '#call/caller.ts';
import { refuseChangeOfLive } from '#call/refuse-change-of-live.ts';
import { updateWorkspace } from '#modules/workspaces/store.ts';
import type { Handles } from '#platform/handles.ts';
import type { Db } from '#platform/postgres/db.ts';
import { requireBase, requireNamedProfile, requireProfile } from './find-profile.ts';
import { readProfile } from './get-profile.ts';
import { profileKeyOf } from './present-profile.ts';
import type { FoundProfile } from './profile-row.ts';
import { changeDocument } from './resolve-document.ts';
import { extendsPointers, refuseTakenName, resolveOrRefuse } from './revision-rules.ts';
import { addRevision, findDefaultProfileKey, lockProfiles } from './store.ts';

type ChangeBody = Call<'updateProfile'>['body'];

/** Concurrent changes are serialised: each creates a revision on top of the previous one. */
export async function updateProfile(
  { caller, params: { profileId }, body }: Call<'updateProfile'>,
  { db, clock }: Handles,
): Promise<Reply<'updateProfile'>> {
  const { workspaceId } = caller;
  return db.transaction().execute(async (transaction) => {
    await lockProfiles(transaction, workspaceId);
    const found = await requireProfile(transaction, workspaceId, profileId); // 404
    refuseChange(caller, found, body); // 403, 409
    if (createsRevision(body)) await reviseProfile(transaction, caller, found, body, clock.now());
    if (body.isDefault !== undefined) await changeDefault(transaction, caller, found, body.isDefault);
    return readProfile(transaction, workspaceId, profileId);
  });
}

function refuseChange(caller: Caller, found: FoundProfile, body: ChangeBody): void {
  // The default is a setting of the whole workspace, so only a live key may change it.
  if (body.isDefault !== undefined) refuseChangeOfLive(caller, 'live', 'live_profile');
  if (found.createdWith) refuseChangeOfLive(caller, found.createdWith, 'live_profile');
  if (found.isBuiltIn && createsRevision(body)) throw new Refusal('built_in_profile');
}

function createsRevision({ isDefault: _, ...document }: ChangeBody): boolean {
  return Object.values(document).some((value) => value !== undefined);
}

async function reviseProfile(db: Db, caller: Caller, found: FoundProfile, body: ChangeBody, now: Date): Promise<void> {
  const { workspaceId } = caller;
  const name = body.name ?? found.name;
  await refuseTakenName(db, workspaceId, name, found.profileId); // 409
  const base = body.extends
    ? await requireNamedProfile(db, workspaceId, body.extends, extendsPointers) // 422
    : await requireBase(db, workspaceId, found.extends as NonNullable<FoundProfile['extends']>);
  const content = resolveOrRefuse(base, changeDocument(found.document, body), body); // 422
  // Revisions are kept as long as their profile, so a request that changes nothing, such as one of a nightly synchronisation, adds none.
  if (isSameContent({ name, ...content }, found)) return;
  if (found.revision >= revisionsPerProfileMax) throw new Refusal('revision_limit_reached'); // 409
  const next = { profileId: found.profileId, name, revision: found.revision + 1, createdAt: now, ...content };
  await addRevision(db, workspaceId, next);
}

function isSameContent(next: Pick<FoundProfile, 'name' | 'document' | 'extends'>, found: FoundProfile): boolean {
  const contentOf = ({ name, document, extends: base }: typeof next) => ({ name, document, base });
  return isDeepStrictEqual(contentOf(next), contentOf(found));
}

async function changeDefault(db: Db, { workspaceId }: Caller, found: FoundProfile, isDefault: boolean): Promise<void> {
  const isNow = (await findDefaultProfileKey(db, workspaceId)) === profileKeyOf(found);
  if (isNow === isDefault) return;
  await updateWorkspace(db, workspaceId, { profile: isDefault ? profileKeyOf(found) : defaultProfile });
}
