import { sql } from 'kysely';
import type { WorkspaceId } from '#call/caller.ts';
import type { Db } from '#platform/postgres/db.ts';

/** What a workspace may store. Null is no limit. */
export type Room = { bytesMax: number | null; filesMax: number | null };

/** Thrown instead of recording an upload. */
export class QuotaReached extends Error {
  override readonly name = 'QuotaReached';
}

export type StorageUse = { files: number; bytes: number };

export async function readStorageUse(db: Db, workspaceId: WorkspaceId): Promise<StorageUse> {
  const { rows } = await sql<StorageUse>`
    select coalesce(sum(files), 0)::float8 as files, coalesce(sum(bytes), 0)::float8 as bytes
    from storage_totals where workspace_id = ${workspaceId}`.execute(db);
  return rows[0] as StorageUse;
}
