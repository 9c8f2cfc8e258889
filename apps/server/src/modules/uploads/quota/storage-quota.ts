import { assetBytesMax, GiB, MiB, type PaidTier, type StorageQuota } from '@assay/contract/limits.ts';
import { mediaTypeOfFilename } from '@assay/contract/media-types.ts';
import { Refusal } from '@assay/contract/refusals.ts';
import type { Caller } from '#call/caller.ts';
import type { Db } from '#platform/postgres/db.ts';
import { QuotaReached, type Room, readStorageUse } from './quota-store.ts';

export type StorageQuotas = Record<PaidTier, StorageQuota>;

/** The tier `free` gets no further than 402. */
const quotaOf = ({ tier }: Caller, quotas: StorageQuotas): StorageQuota => quotas[tier as PaidTier];

export function roomOf(caller: Caller, quotas: StorageQuotas): Room {
  const { GiB: gibibytes, files } = quotaOf(caller, quotas);
  return { bytesMax: gibibytes === null ? null : gibibytes * GiB, filesMax: files };
}

/** A type that is no longer accepted has the limit of the largest category. */
export function largestBytesOf(filename: string): number {
  return assetBytesMax[mediaTypeOfFilename(filename)?.category ?? 'video'];
}

/** What an upload counts with until its stored bytes are known. */
export function reservedBytesOf(filename: string, declaredBytes?: number | null): number {
  return declaredBytes ?? largestBytesOf(filename);
}

/** An upload, and the field of the request that its refusal points to. */
type Wanted = { countedBytes: number; pointer: string };

/** 422 if the upload would exceed the quota of the workspace. */
export async function recordWithinQuota<Result>(
  db: Db,
  caller: Caller,
  quotas: StorageQuotas,
  { countedBytes, pointer }: Wanted,
  record: (room: Room) => Promise<Result>,
): Promise<Result> {
  try {
    return await record(roomOf(caller, quotas));
  } catch (error) {
    if (!(error instanceof QuotaReached)) throw error;
    const used = await readStorageUse(db, caller.workspaceId);
    const { GiB: gibibytes, files } = quotaOf(caller, quotas);
    const allowed = [
      files === null ? 'any number of files' : `${files.toLocaleString('en-US')} files`,
      gibibytes === null ? 'any size' : `${gibibytes.toLocaleString('en-US')} GiB`,
    ].join(' and ');
    const detail = `This file counts with ${describeBytes(countedBytes)}. The workspace stores ${used.files.toLocaleString('en-US')} files with ${describeBytes(used.bytes)}; its tier allows ${allowed}.`;
    throw new Refusal('storage_quota_reached', { errors: [{ pointer, code: 'storage_quota_reached', detail }] });
  }
}

function describeBytes(bytes: number): string {
  if (bytes >= GiB) return `${Number((bytes / GiB).toFixed(1)).toLocaleString('en-US')} GiB`;
  return bytes >= MiB ? `${Number((bytes / MiB).toFixed(1))} MiB` : `${bytes.toLocaleString('en-US')} B`;
}
