import { Refusal } from '@assay/contract/refusals.ts';
import type { Blobs } from '../handles/blobs.ts';
import type { Db } from '../handles/db.ts';
import type { Handles } from '../handles/handles.ts';
import { blobPrefix } from '../uploads/blob-path.ts';
import { type KeptBlob, postponeLook, recordFate, removeBlob, takeDueBlob } from '../uploads/retention-store.ts';
import { blobFate, type Retention } from './blob-fate.ts';
import { findUseOfBlob } from './retention-store.ts';

const blobsAtOnceMax = 200;
const postponedMillis = 5 * 60_000;

/** Looks at the blobs that are due, over all workspaces: bytes that nobody uses, or that were kept long enough, go. */
export async function lookAfterBlobs(handles: Handles, keep: Retention): Promise<void> {
  for (let count = 0; count < blobsAtOnceMax; count++) {
    if (!(await lookAfterOne(handles, keep))) return;
  }
}

/** False when none is due. The row is held meanwhile, so that no other worker looks at the same blob. */
async function lookAfterOne({ db, blobs, clock, log }: Handles, keep: Retention): Promise<boolean> {
  const now = clock.now();
  let due: KeptBlob | undefined;
  try {
    await db.transaction().execute(async (transaction) => {
      due = await takeDueBlob(transaction, now);
      if (due) await meetFate(transaction, blobs, due, now, keep);
    });
  } catch (error) {
    if (error instanceof Refusal || !due) throw error; // a part is away: later, all of them
    log.warn({ err: error, blobId: due.blobId }, 'a blob could not be looked after; it is tried again later');
    await postponeLook(db, due.blobId, new Date(now.getTime() + postponedMillis));
  }
  return due !== undefined;
}

async function meetFate(db: Db, blobs: Blobs, blob: KeptBlob, now: Date, keep: Retention): Promise<void> {
  const use = await findUseOfBlob(db, blob.workspaceId, blob.blobId);
  const fate = blobFate(blob, use, now, keep);
  // A submission that takes up the blob at this very moment finds it missing, and says so.
  if (fate.isEmptied) await blobs.removeAll(blobPrefix(blob));
  if (fate.lookAgainAt === 'row goes') return removeBlob(db, blob.blobId);
  await recordFate(db, blob.blobId, {
    emptiedAt: fate.isEmptied ? (blob.emptiedAt ?? now) : null,
    isNameForgotten: fate.isNameForgotten,
    nextLookAt: fate.lookAgainAt === 'never' ? 'infinity' : fate.lookAgainAt,
  });
}
