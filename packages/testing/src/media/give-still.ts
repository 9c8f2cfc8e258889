import { randomUUID } from 'node:crypto';
import type { Db } from '@assay/server/platform/postgres/db.ts';

/** Adds a still image to an issue, for tests that need any still but no video. */
export async function addStill(db: Db, key: { submissionId: string; assetId: string }, issueId: string) {
  const { workspace_id } = await db
    .selectFrom('assets')
    .select('workspace_id')
    .where('submission_id', '=', key.submissionId)
    .where('asset_id', '=', key.assetId)
    .executeTakeFirstOrThrow();
  const stillId = randomUUID();
  const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from(stillId)]);
  const { submissionId: submission_id, assetId: asset_id } = key;
  await db.insertInto('stills').values({ submission_id, asset_id, still_id: stillId, workspace_id, jpeg }).execute();
  await db
    .updateTable('issues')
    .set({ evidence: JSON.stringify([{ stillId, timeMs: 0 }]) })
    .where('submission_id', '=', submission_id)
    .where('asset_id', '=', asset_id)
    .where('issue_id', '=', issueId)
    .execute();
}
