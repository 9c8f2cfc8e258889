import { randomUUID } from 'node:crypto';
import type { Db } from '@assay/server/platform/postgres/db.ts';

type AssetKey = { submissionId: string; assetId: string };

/** Adds a still image to an issue, for tests that need any still but no video. */
export async function addStill(db: Db, key: AssetKey, issueId: string) {
  const stillId = randomUUID();
  await insertStill(db, key, stillId);
  await db
    .updateTable('issues')
    .set({ evidence: JSON.stringify([{ stillId, timeMs: 0 }]) })
    .where('submission_id', '=', key.submissionId)
    .where('asset_id', '=', key.assetId)
    .where('issue_id', '=', issueId)
    .execute();
}

/** Gives an asset a poster, which is stored as a still with the id of the asset. */
export async function addPoster(db: Db, key: AssetKey) {
  await insertStill(db, key, key.assetId);
}

async function insertStill(db: Db, { submissionId: submission_id, assetId: asset_id }: AssetKey, stillId: string) {
  const { workspace_id } = await db
    .selectFrom('assets')
    .select('workspace_id')
    .where('submission_id', '=', submission_id)
    .where('asset_id', '=', asset_id)
    .executeTakeFirstOrThrow();
  const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from(stillId)]);
  await db.insertInto('stills').values({ submission_id, asset_id, still_id: stillId, workspace_id, jpeg }).execute();
}
