import type { Blobs } from '../handles/blobs.ts';
import type { Db } from '../handles/db.ts';
import type { Handles } from '../handles/handles.ts';
import { blobPrefix } from '../uploads/blob-path.ts';
import { type KeptBlob, postponeLook, recordFate, removeBlob, takeDueBlob } from '../uploads/retention-store.ts';
import { blobFate, type Retention } from './blob-fate.ts';
import { findUseOfBlob } from './retention-store.ts';

const blobsAtOnceMax = 200;
const postponedMillis = 5 * 60_000;
const postponedElsewhereMillis = 24 * 60 * 60_000;
const failuresInRowMax = 5;

/**
 * Looks at the blobs that are due, over all workspaces: bytes that nobody uses, or that were kept long enough, go. Says
 * whether more may be due: the time of a turn is fixed, so a long one would count from a moment that is long past.
 */
export async function lookAfterBlobs(handles: Handles, keep: Retention, signal?: AbortSignal): Promise<boolean> {
  let failuresInRow = 0;
  for (let count = 0; count < blobsAtOnceMax; count++) {
    if (signal?.aborted) return false;
    const outcome = await lookAfterOne(handles, keep);
    if (outcome === 'none due') return false;
    if (outcome === 'looked after') failuresInRow = 0;
    if (outcome === 'failed') failuresInRow++;
    if (failuresInRow === failuresInRowMax) return false; // storage is away: the others later
  }
  return true;
}

/** The row is held meanwhile, so that no other worker looks at the same blob. */
async function lookAfterOne({ db, blobs, clock, log, metrics }: Handles, keep: Retention) {
  const now = clock.now();
  let due: KeptBlob | undefined;
  try {
    await db.transaction().execute(async (transaction) => {
      due = await takeDueBlob(transaction, now);
      if (due) await meetFate(transaction, blobs, due, now, keep);
    });
    return due ? 'looked after' : 'none due';
  } catch (error) {
    if (!due) throw error;
    metrics.jobFailures.inc({ job: 'look after blobs' });
    log.warn({ err: error, blobId: due.blobId }, 'a blob could not be looked after; it is tried again later');
    // One that is not where new ones go may be out of reach for good, and must not stand in the way of the others.
    const { account, container } = blobs.home;
    const isElsewhere = due.account !== account || due.container !== container;
    const wait = isElsewhere ? postponedElsewhereMillis : postponedMillis;
    await postponeLook(db, due.blobId, new Date(now.getTime() + wait));
    return isElsewhere ? 'out of reach' : 'failed';
  }
}

async function meetFate(db: Db, blobs: Blobs, blob: KeptBlob, now: Date, keep: Retention): Promise<void> {
  const use = await findUseOfBlob(db, blob.workspaceId, blob.blobId);
  const fate = blobFate(blob, use, now, keep);
  // A submission that takes up the blob at this very moment finds it missing, and says so.
  if (fate.isEmptied) await blobs.removeAll(blob, blobPrefix(blob));
  if (fate.lookAgainAt === 'row goes') return removeBlob(db, blob.blobId);
  await recordFate(db, blob.blobId, {
    emptiedAt: fate.isEmptied ? (blob.emptiedAt ?? now) : null,
    isNameForgotten: fate.isNameForgotten,
    nextLookAt: fate.lookAgainAt === 'never' ? 'infinity' : fate.lookAgainAt,
  });
}
