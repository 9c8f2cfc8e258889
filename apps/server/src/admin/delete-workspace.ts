import { setTimeout as sleep } from 'node:timers/promises';
import { keyRecheckSeconds } from '@assay/contract/limits.ts';
import { z } from 'zod';
import type { WorkspaceId } from '#call/caller.ts';
import { deleteIdempotencyKeysOf } from '#modules/idempotency/store.ts';
import { revokeKeys } from '#modules/identity/keys/store.ts';
import { markProfilesDeleted } from '#modules/profiles/store.ts';
import { cancelAndRemove } from '#modules/submissions/delete/delete-submission.ts';
import { findSubmissionsOf } from '#modules/submissions/retention/retention-store.ts';
import { removeWebhookRows } from '#modules/webhooks/subscriptions/subscription-store.ts';
import { countOwned, findWorkspace, type Owned, updateWorkspace } from '#modules/workspaces/store.ts';
import type { Handles } from '#platform/handles.ts';
import { rowRemovers } from '#start/row-removers.ts';
import { AdminMistake, defineCommand, noSuchWorkspace, recordAround, workspaceOption } from './command.ts';

const rowsAtOnceMax = 1000;

/** `left` is what workers still delete. If anything is left, the command has to be run again. */
type Deletion = { workspaceId: WorkspaceId; deleted: Owned; left: Owned; isFinished: boolean };

/**
 * Deletes a workspace with everything in it. Without the name of the workspace as a confirmation, it only says what
 * would be deleted. The same command continues a deletion that was interrupted.
 */
export const deleteWorkspace = defineCommand(
  '--workspace <id> [--confirm <name of the workspace>]',
  z.object({ workspace: workspaceOption, confirm: z.string().optional() }),
  async ({ workspace: workspaceId, confirm }, context) => {
    const { handles } = context;
    const found = await findWorkspace(handles.db, workspaceId);
    if (!found) throw new AdminMistake(noSuchWorkspace);
    const { name, deletedAt } = found;
    const owned = await countOwned(handles.db, workspaceId);
    if (!deletedAt && confirm === undefined)
      return { workspaceId, name, wouldDelete: owned, next: 'Add --confirm with the name of the workspace.' };
    if (!deletedAt && confirm !== name) throw new AdminMistake(`--confirm must be the name of the workspace: ${name}`);
    const given = { workspace: workspaceId, ...(confirm !== undefined && { confirm }) };
    return recordAround(context, { command: 'workspace delete', workspaceId, arguments: given }, () =>
      removeWorkspace(handles, workspaceId, owned),
    );
  },
);

async function removeWorkspace(handles: Handles, workspaceId: WorkspaceId, owned: Owned): Promise<Deletion> {
  const { db, clock } = handles;
  const now = clock.now();
  await db.transaction().execute(async (transaction) => {
    await revokeKeys(transaction, workspaceId, now);
    await markProfilesDeleted(transaction, workspaceId, now);
    await updateWorkspace(transaction, workspaceId, { name: 'deleted', deleted_at: now });
  });
  // Until then, processes accept the keys that they know.
  await sleep((keyRecheckSeconds + 1) * 1000);
  await removeSubmissions(handles, workspaceId);
  while ((await removeWebhookRows(db, workspaceId, rowsAtOnceMax)) > 0);
  while ((await deleteIdempotencyKeysOf(db, workspaceId, rowsAtOnceMax)) > 0);
  const left = await countOwned(db, workspaceId);
  return { workspaceId, deleted: owned, left, isFinished: Object.values(left).every((count) => count === 0) };
}

async function removeSubmissions(handles: Handles, workspaceId: WorkspaceId): Promise<void> {
  for (;;) {
    const ids = await findSubmissionsOf(handles.db, workspaceId, rowsAtOnceMax);
    if (ids.length === 0) return;
    for (const submissionId of ids) {
      const beganAt = performance.now();
      await cancelAndRemove(handles, workspaceId, submissionId, rowRemovers);
      // Pauses for as long as the removal took, so that callers keep at least half of the database's time.
      await sleep(performance.now() - beganAt);
    }
  }
}
