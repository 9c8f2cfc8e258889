import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { submissionsPage } from '@assay/contract/limits.ts';
import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import type { Client } from '@assay/testing/service/client.ts';
import { readPages } from '@assay/testing/service/pages.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { beforeAll, describe, expect, test } from 'vitest';

const api = await openTestApi(liftedLimits);
const client = api.client((await api.makeWorkspace()).liveKey);
const stranger = api.client((await api.makeWorkspace()).liveKey);
const submissionCount = submissionsPage.default + 2;

/** Oldest first, each created in a different millisecond, because the order within one is undefined. */
const createdSubmissions: { submissionId: string; createdAt: string }[] = [];

beforeAll(async () => {
  const blobPaths = [await uploadText(client, 'a.txt'), await uploadText(client, 'b.txt')];
  for (let i = 0; i < submissionCount; i++) {
    const { submissionId } = await submit(client, blobPaths);
    createdSubmissions.push((await client.get(`/submissions/${submissionId}`)).body);
    await sleep(2);
  }
  await submit(stranger, [await uploadText(stranger)]);
});

const submissionAt = (i: number) => createdSubmissions.at(i) as (typeof createdSubmissions)[number];
const idsOf = (list: { submissionId: string }[]) => list.map(({ submissionId }) => submissionId);
const newestFirst = () => idsOf(createdSubmissions).reverse();
const list = async (query = '', by: Client = client) => (await by.get(`/submissions${query}`)).body;

const pages = async (query: string): Promise<string[][]> =>
  (await readPages(client, `/submissions?${query}`)).map((page) => idsOf(page.submissions));

describe('GET /submissions', () => {
  describe('200: one page, newest first', () => {
    test('a page has 25 submissions by default, and the rest are on the next page', async () => {
      const found = await pages('');
      expect(found.map((page) => page.length)).toEqual([25, 2]);
      expect(found.flat()).toEqual(newestFirst());
    });

    test.each([1, 5, submissionCount - 1, submissionCount, 100])(
      'pages of %i contain every submission exactly once',
      async (limit) => {
        const found = await pages(`limit=${limit}`);
        expect(found).toHaveLength(Math.ceil(submissionCount / limit));
        expect(found.flat()).toEqual(newestFirst());
      },
    );

    test('each entry equals the submission read by id', async () => {
      const { submissions } = await list('?limit=2');
      for (const submission of submissions) {
        expect(submission).toEqual((await client.get(`/submissions/${submission.submissionId}`)).body);
      }
    });

    test('submissions created between two page requests do not shift the pages', async () => {
      const fresh = api.client((await api.makeWorkspace()).liveKey);
      const blobPath = await uploadText(fresh);
      const old = await submit(fresh, [blobPath]);
      await sleep(2);
      await submit(fresh, [blobPath]);
      const first = await list('?limit=1', fresh);
      await submit(fresh, [blobPath]);
      const second = await list(`?limit=1&cursor=${first.nextCursor}`, fresh);
      expect(idsOf(second.submissions)).toEqual([old.submissionId]);
      expect(second).toMatchObject({ hasMore: false, nextCursor: null });
    });

    test('a workspace without submissions has an empty page', async () => {
      const fresh = api.client((await api.makeWorkspace()).liveKey);
      expect(await list('', fresh)).toEqual({ submissions: [], nextCursor: null, hasMore: false });
    });

    test('createdAfter and createdBefore are exclusive bounds', async () => {
      const after = encodeURIComponent(submissionAt(3).createdAt);
      const before = encodeURIComponent(submissionAt(7).createdAt);
      const all = newestFirst();
      const from = (begin: number, end: number) =>
        all.filter((id) => idsOf(createdSubmissions).slice(begin, end).includes(id));
      expect((await pages(`createdAfter=${after}&limit=100`)).flat()).toEqual(from(4, submissionCount));
      expect((await pages(`createdBefore=${before}&limit=100`)).flat()).toEqual(from(0, 7));
      expect((await pages(`createdAfter=${after}&createdBefore=${before}`)).flat()).toEqual(from(4, 7));
      expect((await pages(`createdAfter=${after}&createdBefore=${before}&limit=1`)).flat()).toEqual(from(4, 7));
      expect((await pages(`createdAfter=${before}&createdBefore=${after}`)).flat()).toEqual([]);
    });

    test.each(['0000-01-01T00:00:00Z', '1969-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'])(
      'the distant bound %s is accepted',
      async (moment) => {
        const isPast = moment < '2000';
        expect((await list(`?limit=100&createdAfter=${moment}`)).submissions).toHaveLength(
          isPast ? submissionCount : 0,
        );
        expect((await list(`?limit=100&createdBefore=${moment}`)).submissions).toHaveLength(
          isPast ? 0 : submissionCount,
        );
      },
    );

    test('the status filter accepts one status, several statuses, and a status without matches', async () => {
      const fresh = api.client((await api.makeWorkspace()).liveKey);
      const blobPath = await uploadText(fresh);
      const ids: Record<string, string> = {};
      for (const status of ['submitted', 'processing', 'complete', 'failed'] as const) {
        const { submissionId } = await submit(fresh, [blobPath]);
        ids[status] = submissionId;
        await setStatus(submissionId, status);
      }
      const found = async (query: string) => new Set(idsOf((await list(query, fresh)).submissions));
      for (const [status, id] of Object.entries(ids)) expect(await found(`?status=${status}`)).toEqual(new Set([id]));
      expect(await found('?status=complete&status=failed')).toEqual(new Set([ids.complete, ids.failed]));
      expect(await found('?status=uploading')).toEqual(new Set());
      expect(await found(`?status=failed&createdBefore=2020-01-01T00:00:00Z`)).toEqual(new Set());
      expect(await found('')).toEqual(new Set(Object.values(ids)));
    });

    test('a filter applies to all pages', async () => {
      const found = await pages('status=submitted&limit=10');
      expect(found.flat()).toEqual(newestFirst());
      expect(await pages('status=failed&limit=10')).toEqual([[]]);
    });
  });

  describe('422: an invalid parameter', () => {
    test.each([
      ['/limit', 'limit=0'],
      ['/limit', 'limit=101'],
      ['/limit', 'limit=-1'],
      ['/limit', 'limit=1.5'],
      ['/limit', 'limit=x'],
      ['/limit', 'limit='],
      ['/limit', 'limit=1&limit=2'],
      ['/status/0', 'status=done'],
      ['/status/1', 'status=failed&status=COMPLETE'],
      ['/status', Array(21).fill('status=failed').join('&')],
      ['/createdAfter', 'createdAfter=yesterday'],
      ['/createdAfter', 'createdAfter=2026-02-30T00:00:00Z'],
      ['/createdBefore', 'createdBefore=2026-01-01'],
      ['/createdBefore', 'createdBefore='],
      ['/cursor', 'cursor='],
      ['/cursor', 'cursor=x'],
      ['/cursor', `cursor=${randomUUID()}`],
      ['/cursor', `cursor=${'x'.repeat(201)}`],
      ['/cursor', `cursor=${Buffer.from('"x"').toString('base64url')}`],
      ['/cursor', `cursor=${Buffer.from('{"versionNumber":1}').toString('base64url')}`],
    ])('validation_failed points to %s for %s', async (pointer, query) => {
      expect(await client.get(`/submissions?${query}`)).toMatchObject(refused(422, 'validation_failed', pointer));
    });
  });
});

describe('the mode of listed submissions (§D9)', () => {
  test('is that of the key, unless the query names a different mode', async () => {
    const own = await api.makeWorkspace();
    const [live, sandbox] = [api.client(own.liveKey), api.client(own.sandboxKey)];
    const { submissionId: a } = await submit(live, [await uploadText(live)]);
    const { submissionId: b } = await submit(sandbox, [await uploadText(sandbox)]);
    const ids = async (by: Client, query = '') => idsOf((await list(query, by)).submissions);
    expect([await ids(live), await ids(sandbox)]).toEqual([[a], [b]]);
    expect([await ids(live, '?mode=sandbox'), await ids(sandbox, '?mode=live')]).toEqual([[b], [a]]);
    expect([await ids(live, '?mode=all'), await ids(sandbox, '?mode=all')]).toEqual([
      [b, a],
      [b, a],
    ]);
    expect(await ids(live, '?mode=all&limit=1')).toEqual([b]);
  });
});

/** Brings a submission of one asset to this state, as the engine would. */
async function setStatus(submissionId: string, status: 'submitted' | 'processing' | 'complete' | 'failed') {
  const completedAt = status === 'complete' || status === 'failed' ? new Date() : null;
  const { db } = api.handles;
  await db
    .updateTable('assets')
    .set({ status, completed_at: completedAt, error_type: status === 'failed' ? 'corrupt_media' : null })
    .where('submission_id', '=', submissionId)
    .execute();
  await db
    .updateTable('submissions')
    .set({ status, completed_at: completedAt })
    .where('submission_id', '=', submissionId)
    .execute();
}
