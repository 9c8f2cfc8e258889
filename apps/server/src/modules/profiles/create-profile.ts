import { randomUUIDv7 } from 'node:crypto';
import { Refusal } from '@assay/contract/refusals.ts';
import { defaultProfile } from '@assay/contract/schemas/profiles/built-in.ts';
import type { Call, Reply } from '#call/call.ts';
import { answerOnce } from '#modules/idempotency/answer-once.ts';
import type { Handles } from '#platform/handles.ts';
import { inTransaction } from '#platform/postgres/db.ts';
import { requireNamedProfile } from './find-profile.ts';
import { readProfile } from './get-profile.ts';
import { changeDocument } from './resolve-document.ts';
import { extendsPointers, refuseTakenName, resolveOrRefuse } from './revision-rules.ts';
import { hasRoomForProfile, insertProfile, lockProfiles } from './store.ts';

export async function createProfile(call: Call<'createProfile'>, handles: Handles): Promise<Reply<'createProfile'>> {
  const { caller, body } = call;
  const { workspaceId } = caller;
  return answerOnce(handles, 'createProfile', call, async () => (db) => {
    return inTransaction(db, async (transaction) => {
      await lockProfiles(transaction, workspaceId);
      await refuseTakenName(transaction, workspaceId, body.name); // 409
      if (!(await hasRoomForProfile(transaction, workspaceId))) throw new Refusal('profile_limit_reached'); // 409
      const named = body.extends ?? { profile: defaultProfile };
      const base = await requireNamedProfile(transaction, workspaceId, named, extendsPointers); // 422
      const document = changeDocument({ title: body.name, description: '', limits: {}, rules: [] }, body);
      const revision = {
        profileId: randomUUIDv7(),
        name: body.name,
        revision: 1,
        createdAt: handles.clock.now(),
        ...resolveOrRefuse(base, document, body), // 422
      };
      await insertProfile(transaction, workspaceId, caller.mode, revision);
      return readProfile(transaction, workspaceId, revision.profileId);
    });
  });
}
