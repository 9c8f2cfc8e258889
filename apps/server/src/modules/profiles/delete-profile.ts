import { Refusal } from '@assay/contract/refusals.ts';
import type { Call, Reply } from '#call/call.ts';
import { refuseChangeOfLive } from '#call/refuse-change-of-live.ts';
import type { Handles } from '#platform/handles.ts';
import { requireProfile } from './find-profile.ts';
import { profileKeyOf } from './present-profile.ts';
import { findDefaultProfileKey, lockProfiles, markProfileDeleted } from './store.ts';

/** Deletes a profile. Its revisions are kept as long as submissions use them or profiles extend them. */
export async function deleteProfile(
  { caller, params: { profileId } }: Call<'deleteProfile'>,
  { db, clock }: Handles,
): Promise<Reply<'deleteProfile'>> {
  const { workspaceId } = caller;
  await db.transaction().execute(async (transaction) => {
    await lockProfiles(transaction, workspaceId);
    const found = await requireProfile(transaction, workspaceId, profileId); // 404
    if (found.createdWith) refuseChangeOfLive(caller, found.createdWith, 'live_profile'); // 403
    if (found.isBuiltIn) throw new Refusal('built_in_profile'); // 409
    const isDefault = (await findDefaultProfileKey(transaction, workspaceId)) === profileKeyOf(found);
    if (isDefault) throw new Refusal('profile_is_default'); // 409
    await markProfileDeleted(transaction, workspaceId, found.profileId, clock.now());
  });
}
