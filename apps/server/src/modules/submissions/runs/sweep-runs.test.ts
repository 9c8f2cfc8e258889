import { randomUUIDv7 } from 'node:crypto';
import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { dueAfterMillisOf, sweepRuns } from './sweep-runs.ts';

const api = await openTestApi(liftedLimits);
const { db } = api.handles;
const workspace = await api.makeWorkspace();
const live = api.client(workspace.liveKey);

/** The engine refuses a list of this many assets. No request can create one, so it is inserted directly. */
const refusedAssetCount = 30_000;

async function insertUnstartableSubmission(like: string): Promise<string> {
  const submissionId = randomUUIDv7();
  await sql`
    insert into submissions (submission_id, workspace_id, mode, status, profile, created_at)
    select ${submissionId}, workspace_id, mode, status, profile, created_at from submissions
    where submission_id = ${like}`.execute(db);
  await sql`
    insert into assets (submission_id, asset_id, workspace_id, position, blob_id, filename, content_type, category, etag,
      size_bytes, version_group_id, version_number, created_at, run)
    select ${submissionId}, gen_random_uuid(), a.workspace_id, n, blob_id, filename, content_type, category, etag,
      size_bytes, version_group_id, version_number, created_at, 1
    from assets a, generate_series(1, ${refusedAssetCount}) as n where a.submission_id = ${like}`.execute(db);
  await sql`
    insert into runs_to_start (submission_id, run, workspace_id, created_at)
    values (${submissionId}, 1, ${workspace.workspaceId}, now() - interval '2 hours')`.execute(db);
  return submissionId;
}

test('a run is due for the sweep after twice the sweep interval, but at least 2 s and at most 10 s', () => {
  expect([0.2, 1, 3, 5, 60].map(dueAfterMillisOf)).toEqual([2000, 2000, 6000, 10_000, 10_000]);
});

test('runs that cannot be started do not delay other runs', async () => {
  const { submissionId } = await submit(live, [await uploadText(live)]);
  const stuck = [];
  for (let i = 0; i < 3; i++) stuck.push(await insertUnstartableSubmission(submissionId));
  await sql`
    insert into runs_to_start (submission_id, run, workspace_id, created_at)
    values (${submissionId}, 1, ${workspace.workspaceId}, now() - interval '1 hour')
    on conflict (submission_id, run) do update set created_at = excluded.created_at`.execute(db);
  const left = async () =>
    (await db.selectFrom('runs_to_start').select('submission_id').execute()).map((row) => row.submission_id).sort();
  await sweepRuns(api.handles);
  expect(await left(), 'three in a row: perhaps the engine is down').toEqual([submissionId, ...stuck].sort());
  await sweepRuns(api.handles);
  await expect.poll(left).toEqual(stuck.sort());
});
