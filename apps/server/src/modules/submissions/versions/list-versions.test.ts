import { randomUUID } from 'node:crypto';
import { noVerdict } from '@assay/contract/no-verdict.ts';
import { liftedLimits, openTestApi, openWorkspace } from '@assay/testing/service/api.ts';
import { readPages } from '@assay/testing/service/pages.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { type SubmissionIds, submit, uploadText, versionOf } from '@assay/testing/service/submissions.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { encodeCursor } from '#call/cursor.ts';

const api = await openTestApi(liftedLimits);
const { live: client, sandbox } = await openWorkspace(api);

type Version = { versionGroupId: string; versionNumber: number; submissionId: string; assetId: string };

async function submitNamed(names: string[], previousSubmissionId?: string): Promise<SubmissionIds> {
  const blobPaths = await Promise.all(names.map((name) => uploadText(client, name)));
  return submit(
    client,
    blobPaths.map((blobPath) => ({ blobPath, ...(previousSubmissionId && { previousSubmissionId }) })),
  );
}

const list = (submissionId: string, query = '') => client.get(`/submissions/${submissionId}/versions${query}`);
const placesOf = (created: SubmissionIds): Version[] =>
  created.assets.map((asset) => ({ ...versionOf(asset), submissionId: created.submissionId }));
const inOrder = (versions: Version[]) =>
  versions.toSorted((a, b) =>
    a.versionGroupId === b.versionGroupId
      ? a.versionNumber - b.versionNumber
      : a.versionGroupId < b.versionGroupId
        ? -1
        : 1,
  );

// Two groups with three and two versions, and one that only the last submission belongs to.
const first = await submitNamed(['a.txt', 'b.txt']);
const second = await submitNamed(['a.txt'], first.submissionId);
const third = await submit(client, [
  { blobPath: await uploadText(client, 'a.txt'), previousSubmissionId: second.submissionId },
  { blobPath: await uploadText(client, 'b.txt'), previousSubmissionId: first.submissionId },
  await uploadText(client, 'c.txt'),
]);

describe('GET /submissions/{submission_id}/versions', () => {
  describe('200: every version of every version group of the submission (§4.9a, §9c)', () => {
    test('a version has exactly the documented members', async () => {
      const { submissionId, assets } = await submitNamed(['a.txt']);
      const { status, body } = await list(submissionId);
      expect(status).toBe(200);
      expect(body).toEqual({
        submissionId,
        versions: [
          {
            ...versionOf(assets[0] as SubmissionIds['assets'][number]),
            submissionId,
            mode: 'live',
            filename: 'a.txt',
            status: 'submitted',
            issueCount: null,
            ...noVerdict,
            createdAt: (await client.get(`/submissions/${submissionId}`)).body.createdAt,
            completedAt: null,
          },
        ],
        nextCursor: null,
        hasMore: false,
      });
    });

    test.each([
      ['the first submission lists later versions', first, [first, second, third], 2],
      ['the second submission lists the only group that it belongs to', second, [first, second, third], 1],
      ['the third submission also lists its new group', third, [first, second, third], 3],
    ])('%s', async (_, of, among, groupCount) => {
      const groups = of.assets.map(({ versionGroupId }) => versionGroupId);
      const expected = among.flatMap(placesOf).filter(({ versionGroupId }) => groups.includes(versionGroupId));
      const { body } = await list(of.submissionId);
      expect(new Set(groups).size).toBe(groupCount);
      expect(body.versions).toMatchObject(inOrder(expected));
      expect(body.versions).toHaveLength(expected.length);
    });

    test('versions of both modes are listed with their mode and numbered together (§D9)', async () => {
      const live = await submitNamed(['a.txt']);
      const assets = [{ blobPath: await uploadText(sandbox, 'a.txt'), previousSubmissionId: live.submissionId }];
      await submit(sandbox, assets);
      const { body } = await list(live.submissionId);
      expect(body.versions).toMatchObject([
        { mode: 'live', versionNumber: 1 },
        { mode: 'sandbox', versionNumber: 2 },
      ]);
    });

    test('the first page lists all of 150 versions (§D3)', async () => {
      const { submissionId } = await submitNamed(['a.txt']);
      await makeVersions(submissionId, 150);
      const { body } = await list(submissionId);
      expect([body.versions.length, body.hasMore]).toEqual([150, false]);
    });

    test.each([1, 2, 5, 6, 100])('pages of %i contain every version exactly once', async (limit) => {
      const { body: whole } = await list(third.submissionId);
      const pages = await readPages(client, `/submissions/${third.submissionId}/versions?limit=${limit}`);
      const found = pages.map(({ versions }) => versions);
      expect(found).toHaveLength(Math.ceil(6 / limit));
      for (const versions of found) expect(versions.length).toBeLessThanOrEqual(limit);
      expect(found.flat()).toEqual(whole.versions);
    });
  });

  describe('200: a page after the last one', () => {
    test('is empty, as versions may have been deleted meanwhile', async () => {
      const cursor = encodeCursor({ versionGroupId: 'ffffffff-ffff-ffff-ffff-ffffffffffff', versionNumber: 1 });
      expect(await list(first.submissionId, `?cursor=${cursor}`)).toMatchObject({
        status: 200,
        body: { versions: [], nextCursor: null, hasMore: false },
      });
    });
  });

  describe('422: an invalid parameter', () => {
    test.each([
      ['/limit', '?limit=0'],
      ['/limit', '?limit=1001'],
      ['/limit', '?limit=x'],
      ['/cursor', '?cursor=x'],
      ['/cursor', `?cursor=${encodeCursor({ versionGroupId: randomUUID(), versionNumber: 2 ** 31 })}`],
      ['/cursor', `?cursor=${Buffer.from(`"${randomUUID()}"`).toString('base64url')}`],
    ])('validation_failed points to %s for the query %s', async (pointer, query) => {
      expect(await list(first.submissionId, query)).toMatchObject(refused(422, 'validation_failed', pointer));
    });
  });
});

/** Inserts versions up to this number, as that many submissions would. */
async function makeVersions(submissionId: string, count: number): Promise<void> {
  const { db } = api.handles;
  await sql`
    with copies as (
      insert into assets (submission_id, workspace_id, created_at, position, asset_id, blob_id, filename, content_type,
        category, etag, size_bytes, version_group_id, version_number)
      select submission_id, workspace_id, created_at, n, gen_random_uuid(), blob_id, filename, content_type, category,
        etag, size_bytes, version_group_id, n
      from assets, generate_series(2, ${count}::int) n where submission_id = ${submissionId}
      returning *
    )
    insert into asset_versions (version_group_id, version_number, workspace_id, submission_id, asset_id)
    select version_group_id, version_number, workspace_id, submission_id, asset_id from copies`.execute(db);
}
