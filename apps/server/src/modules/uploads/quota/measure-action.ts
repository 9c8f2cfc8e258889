import { measuredAfterSeconds } from '@assay/contract/limits.ts';
import type { StoredBytes } from '#platform/storage/backend.ts';
import { largestBytesOf, reservedBytesOf } from './storage-quota.ts';

export type UnmeasuredBlob = {
  filename: string;
  declaredBytes: number | null;
  countedBytes: number;
  /** Until then, an upload URL may be used. */
  uploadUntil: Date;
  partUploadId: string | null;
};

/** What an upload counts with from now on, and when it is measured next: null if its size is final. */
export type MeasureAction = { isDeleted: boolean; countedBytes: number; nextAt: Date | null };

/**
 * A file that is larger than declared or allowed is deleted, because no submission can be created with it. One that a
 * submission uses may be larger than declared: the declaration was then renewed for the next file.
 */
export function measureAction(
  blob: UnmeasuredBlob,
  { fileBytes, otherBytes }: StoredBytes,
  isSubmitted: boolean,
  now: Date,
): MeasureAction {
  const { filename, declaredBytes, uploadUntil } = blob;
  const bytesMax = largestBytesOf(filename);
  const reservedBytes = reservedBytesOf(filename, declaredBytes);
  const isDeleted = (fileBytes ?? 0) > (isSubmitted ? bytesMax : reservedBytes) || otherBytes > bytesMax;
  const storedBytes = isDeleted ? 0 : (fileBytes ?? 0) + otherBytes;
  if (now >= uploadUntil) return { isDeleted, countedBytes: storedBytes, nextAt: null };
  const isStored = !isDeleted && fileBytes !== null && blob.partUploadId === null;
  if (isStored) return { isDeleted, countedBytes: storedBytes, nextAt: uploadUntil };
  const soon = new Date(now.getTime() + measuredAfterSeconds * 1000);
  const countedBytes = Math.max(blob.countedBytes, reservedBytes, storedBytes);
  return { isDeleted, countedBytes, nextAt: soon < uploadUntil ? soon : uploadUntil };
}
