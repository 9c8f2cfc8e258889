import type { Measurements } from '@assay/contract/schemas/result.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { WorkspaceId } from '#call/caller.ts';
import type { Db } from '#platform/postgres/db.ts';
import type { AssetKey } from '../store.ts';

type MeasurementSeries = z.input<typeof Measurements>['series'];
export type StoredMeasurements = { durationMs: number | null; frameRate: number | null; series: MeasurementSeries };
export type Still = { stillId: string; jpeg: Uint8Array };

/** Replaces the evidence of an earlier examination of the same asset. */
export async function replaceEvidence(
  db: Db,
  workspaceId: WorkspaceId,
  { submissionId, assetId }: AssetKey,
  { stills, poster, measured }: { stills: Still[]; poster: Uint8Array | null; measured: StoredMeasurements },
): Promise<void> {
  await db
    .deleteFrom('stills')
    .where('submission_id', '=', submissionId)
    .where('asset_id', '=', assetId)
    .where('workspace_id', '=', workspaceId)
    .execute();
  const key = { submission_id: submissionId, asset_id: assetId, workspace_id: workspaceId };
  // The poster is a still whose id is that of its asset.
  const all = poster ? [...stills, { stillId: assetId, jpeg: poster }] : stills;
  if (all.length > 0) {
    const rows = all.map(({ stillId, jpeg }) => ({ ...key, still_id: stillId, jpeg: Buffer.from(jpeg) }));
    await db.insertInto('stills').values(rows).execute();
  }
  await sql`
    insert into measurements (submission_id, asset_id, workspace_id, duration_ms, frame_rate, series)
    values (${submissionId}, ${assetId}, ${workspaceId}, ${measured.durationMs}, ${measured.frameRate}, ${JSON.stringify(measured.series)}::jsonb)
    on conflict (submission_id, asset_id)
    do update set duration_ms = excluded.duration_ms, frame_rate = excluded.frame_rate, series = excluded.series`.execute(
    db,
  );
}

export async function findStill(
  db: Db,
  workspaceId: WorkspaceId,
  { submissionId, assetId }: AssetKey,
  stillId: string,
): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom('stills')
    .select('jpeg')
    .where('submission_id', '=', submissionId)
    .where('asset_id', '=', assetId)
    .where('still_id', '=', stillId)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return row?.jpeg;
}

export async function findPoster(db: Db, workspaceId: WorkspaceId, key: AssetKey): Promise<Uint8Array | undefined> {
  return await findStill(db, workspaceId, key, key.assetId);
}

export async function findMeasurements(
  db: Db,
  workspaceId: WorkspaceId,
  { submissionId, assetId }: AssetKey,
): Promise<StoredMeasurements | undefined> {
  const row = await db
    .selectFrom('measurements')
    .select(['duration_ms as durationMs', 'frame_rate as frameRate', 'series'])
    .where('submission_id', '=', submissionId)
    .where('asset_id', '=', assetId)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return row && { ...row, series: row.series as unknown as MeasurementSeries };
}
