import { setTimeout as sleep } from 'node:timers/promises';
import { runForEach } from '#platform/mechanisms/semaphore.ts';
import { Outage, type OutagePart } from '#platform/outage.ts';
import type { Db } from '#platform/postgres/db.ts';
import type { Blobs } from '#platform/storage/blobs.ts';
import { blobPrefix, formatBlobPath } from '../blob-path.ts';
import {
  type BlobState,
  claimBlob,
  forgetOtherPlace,
  isPlacedAt,
  listBlobs,
  type MovableBlob,
  type MoveRoute,
  moveRecords,
  switchPlace,
} from './move-store.ts';

/** `db` is the connection that holds the lock, so that without the lock nothing is switched or deleted. */
export type Mover = { db: Db; blobs: Blobs; route: MoveRoute };

export type Counts = Record<BlobState, number>;

/** Receives the result for each blob, or for several records at once. */
export type MoveReport = {
  moved(sizeBytes: number): void;
  movedRecords(count: number): void;
  deletedCopy(): void;
  /** Meanwhile the blob was purged, or an upload URL was issued for it. */
  skipped(): void;
  /** Throws after too many failures. */
  failed(blobId: string, error: unknown): void;
};

const rowsAtOnceMax = 500;
const blobsAtOnceMax = 8;
const triesMax = 3;
const waitMillis = 1500;
const firstId = '00000000-0000-0000-0000-000000000000';

/** Counts the blobs by their state. */
export async function countBlobs(mover: Mover): Promise<Counts> {
  const counts: Counts = {
    ready: 0,
    uploading: 0,
    purging: 0,
    record: 0,
    unreachable: 0,
    blocked: 0,
    'old copy': 0,
    'kept copy': 0,
    elsewhere: 0,
  };
  for await (const rows of batches(mover)) for (const { state } of rows) counts[state]++;
  return counts;
}

/** Copies each blob that can be moved, verifies the copy, and switches the blob to it. */
export async function moveMedia(mover: Mover, report: MoveReport): Promise<void> {
  for await (const rows of batches(mover)) {
    const inState = (state: BlobState) => rows.filter((row) => row.state === state);
    const records = inState('record').map(({ blobId }) => blobId);
    if (records.length > 0) report.movedRecords(await moveRecords(mover.db, records, mover.route));
    await runForEach(inState('ready'), blobsAtOnceMax, (blob) =>
      withRetries(blob, report, () => moveBlob(mover, blob, report)),
    );
  }
}

/** Deletes the old copies of moved blobs, unless they may still be read. */
export async function deleteOldCopies(mover: Mover, report: MoveReport): Promise<void> {
  const deleteCopy = async (blob: MovableBlob) => {
    await deleteOtherCopy(mover, blob);
    report.deletedCopy();
  };
  for await (const rows of batches(mover)) {
    const old = rows.filter(({ state }) => state === 'old copy');
    await runForEach(old, blobsAtOnceMax, (blob) => withRetries(blob, report, () => deleteCopy(blob)));
  }
}

/**
 * Tries again if a store is unavailable, because its time limits are the short ones of requests. Other failures are
 * reported for this blob alone, unless the database connection is lost.
 */
async function withRetries({ blobId }: MovableBlob, report: MoveReport, work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (isDatabaseOutage(error)) throw error;
      if (!isOutageOf(error, 'storage') || tries === triesMax) return report.failed(blobId, error);
      await sleep(waitMillis * tries);
    }
  }
}

/** Whether the connection that holds the lock can no longer be used. */
export const isDatabaseOutage = (error: unknown) => isOutageOf(error, 'postgres');

const isOutageOf = (error: unknown, part: OutagePart) => error instanceof Outage && error.part === part;

async function* batches({ db, route }: Mover): AsyncGenerator<MovableBlob[]> {
  for (let after = firstId; ; ) {
    const rows = await listBlobs(db, route, after, rowsAtOnceMax);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.blobId;
  }
}

async function deleteOtherCopy({ db, blobs }: Mover, blob: MovableBlob): Promise<void> {
  const { other, filename } = blob;
  if (!other) return;
  // The copy is deleted by name if the name is known, because listing costs more than deleting.
  if (filename === null) await blobs.removeAll(other, blobPrefix(blob));
  else await blobs.remove(other, formatBlobPath({ ...blob, filename }));
  await forgetOtherPlace(db, blob, other);
}

async function moveBlob(mover: Mover, blob: MovableBlob, report: MoveReport): Promise<void> {
  const { db, blobs, route } = mover;
  const { to } = route;
  const { place, other, filename, contentType } = blob;
  // The row of a blob can record only one other place, so a copy at a third one is deleted first.
  if (other && (other.account !== to.account || other.container !== to.container)) await deleteOtherCopy(mover, blob);
  const token = await claimBlob(db, blob, to);
  if (token === undefined || filename === null) return report.skipped();
  const path = formatBlobPath({ ...blob, filename });
  const copied = await blobs.copy(place, to, path, contentType, new AbortController().signal);
  if (await switchPlace(db, blob, to, token, copied)) return report.moved(copied?.sizeBytes ?? 0);
  // A purge may have emptied the target before the copy was there.
  if (!(await isPlacedAt(db, blob, to))) await blobs.remove(to, path);
  report.skipped();
}
