import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { expect, test } from 'vitest';
import type { WorkspaceId } from '#call/caller.ts';
import { beginAssets, raiseProgress } from './progress-store.ts';

const api = await openTestApi(liftedLimits);
const { workspaceId: id, liveKey } = await api.makeWorkspace();
const workspaceId = id as WorkspaceId;
const { db } = api.handles;

test('each change of an asset gets a revision of its own, even if many changes are concurrent', async () => {
  const client = api.client(liveKey);
  const paths = await Promise.all(Array.from({ length: 20 }, (_, i) => uploadText(client, `${i}.txt`)));
  const { submissionId, assets } = await submit(client, paths);
  const attempts = assets.map(({ assetId }) => ({ assetId, attempt: 1 }));
  await beginAssets(db, workspaceId, submissionId, 'live', attempts);
  await Promise.all(attempts.map((attempt) => raiseProgress(db, workspaceId, submissionId, attempt, 10)));

  const rows = await db.selectFrom('assets').select('revision').where('submission_id', '=', submissionId).execute();
  expect(new Set(rows.map(({ revision }) => revision)).size).toBe(20);
});
