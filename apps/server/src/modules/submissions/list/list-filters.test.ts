import { setTimeout as sleep } from 'node:timers/promises';
import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import { readPages } from '@assay/testing/service/pages.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { submit, submitAndCancel, uploadText } from '@assay/testing/service/submissions.ts';
import { beforeAll, describe, expect, test } from 'vitest';

const api = await openTestApi(liftedLimits);
const workspace = await api.makeWorkspace();
const client = api.client(workspace.liveKey);
const sandbox = api.client(workspace.sandboxKey);
const stranger = api.client((await api.makeWorkspace()).liveKey);

const made = new Map<string, string>();
const submitAs = async (label: string, filenames: string[], metadata: object = {}, by = client) => {
  const blobPaths = await Promise.all(filenames.map((filename) => uploadText(by, filename)));
  made.set((await submit(by, blobPaths, { metadata })).submissionId, label);
  await sleep(2); // the order within a millisecond is undefined
};

beforeAll(async () => {
  const own = await client.post('/profiles', { name: 'ours' });
  await submitAs('first', ['Spot.txt', 'spot-b.txt'], { clientReference: 'order-1' });
  await submitAs('second', ['spot.txt'], { clientReference: 'order-10', assay: { profile: 'ours' } });
  await submitAs('third', ['Ärger.txt', 'trailer_1.txt'], { clientReference: 1 });
  await submitAs('fourth', ['spot.txt'], { assay: { profile: own.body.profileId } });
  await client.patch(`/profiles/${own.body.profileId}`, { name: 'renamed' });
  await submitAs('fifth', ['spot%.txt'], { clientReference: 'order-1', assay: { profile: 'renamed' } });
  await submitAs('long', ['long.txt'], { clientReference: 'x'.repeat(8000) });
  await submitAs('simulated', ['spot.txt'], { clientReference: 'order-1' }, sandbox);
  await submitAs('of others', ['spot.txt'], { clientReference: 'order-1' }, stranger);
  const { submissionId } = await submitAndCancel(client);
  made.set(submissionId, 'cancelled');
});

const labelsOf = (list: { submissionId: string }[]) => list.map(({ submissionId }) => made.get(submissionId));
const list = async (query: string) => {
  const { status, body } = await client.get(`/submissions?${query}`);
  expect(status).toBe(200);
  return labelsOf(body.submissions);
};
const pages = async (query: string) =>
  (await readPages(client, `/submissions?${query}`)).map((page) => labelsOf(page.submissions));

describe('GET /submissions, filtered', () => {
  describe('200: only what matches', () => {
    test.each([
      ['verdict=not_checked', ['cancelled']],
      ['verdict=passed&verdict=not_checked', ['cancelled']],
      ['verdict=failed', []],
      ['verdict=not_checked&status=complete', []],
      ['clientReference=order-1', ['fifth', 'first']],
      ['clientReference=order-1&mode=all', ['simulated', 'fifth', 'first']],
      ['clientReference=order', []],
      ['clientReference=1', []],
      [`clientReference=${'x'.repeat(200)}`, []],
      ['clientReference=order-1&profile=general', ['first']],
      ['profile=renamed', ['fifth', 'fourth', 'second']],
      ['profile=ours', []],
      ['profile=unknown', []],
      ['profile=general&clientReference=order-1&verdict=passed', []],
    ])('%s, newest first', async (query, expected) => {
      expect(await list(query)).toEqual(expected);
    });

    test('a profile is found by its ID as by its name, own or built in', async () => {
      const { profiles } = (await client.get('/profiles')).body;
      const idOf = (wanted: string) => profiles.find(({ name }: { name: string }) => name === wanted).profileId;
      expect(await list(`profile=${idOf('renamed')}`)).toEqual(['fifth', 'fourth', 'second']);
      expect(await list(`profile=${idOf('general')}`)).toEqual(await list('profile=general'));
      expect(await list('profile=general')).toEqual(['cancelled', 'long', 'third', 'first']);
    });

    test.each([
      // "spot%.txt" < "spot-b.txt" < "spot.txt"; equal names newest first, and each submission once.
      ['filename=SPOT', ['fifth', 'first', 'fourth', 'second']],
      ['filename=spot.txt', ['fourth', 'second', 'first']],
      ['filename=spot%25', ['fifth']],
      ['filename=spot_', []],
      ['filename=trailer_', ['third']],
      ['filename=pot', []],
      ['filename=spot&mode=sandbox', ['simulated']],
      [`filename=${encodeURIComponent('a\u0308')}`, ['third']],
    ])('%s, by file name', async (query, expected) => {
      expect(await list(query)).toEqual(expected);
    });

    test.each(['filename=spot', 'clientReference=order-1&mode=all', 'profile=renamed', 'filename=s&mode=all'])(
      'pages of one item of %s contain every submission exactly once, in the same order',
      async (query) => {
        const found = await pages(`${query}&limit=1`);
        expect(found.flat()).toEqual(await list(query));
        expect(found.every((page) => page.length === 1)).toBe(true);
      },
    );
  });

  describe('422: an invalid filter', () => {
    test.each([
      ['verdict=good', '/verdict/0'],
      ['filename=', '/filename'],
      ['filename=spot&verdict=failed', '/verdict'],
      ['filename=spot&clientReference=order-1', '/clientReference'],
      ['profile=', '/profile'],
      [`clientReference=${'x'.repeat(201)}`, '/clientReference'],
      ['filename=a%00', '/filename'],
    ])('%s is refused', async (query, pointer) => {
      expect(await client.get(`/submissions?${query}`)).toMatchObject(refused(422, 'validation_failed', pointer));
    });

    test('the cursor of a list in another order is refused', async () => {
      const { nextCursor } = (await client.get('/submissions?limit=1')).body;
      const response = await client.get(`/submissions?filename=spot&cursor=${nextCursor}`);
      expect(response).toMatchObject(refused(422, 'validation_failed', '/cursor'));
    });
  });
});
