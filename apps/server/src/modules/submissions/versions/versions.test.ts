import { randomUUID } from 'node:crypto';
import { sample } from '@assay/testing/media/samples.ts';
import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { describe, expect, test } from 'vitest';

const api = await openTestApi(liftedLimits);
const client = api.client((await api.makeWorkspace()).liveKey);
const pointer = '/assets/0/previousSubmissionId';

/** Uploads files with these names: text, or an image by its extension. */
const upload = (...names: string[]) =>
  Promise.all(
    names.map(async (name) =>
      name.endsWith('.png')
        ? ((await client.uploadFile(name, sample('still.png'))).body.blobPath as string)
        : uploadText(client, name),
    ),
  );
const submitNamed = async (...names: string[]) => submit(client, await upload(...names));

async function submitNextVersion(previousSubmissionId: string, ...names: string[]) {
  const assets = (await upload(...names)).map((blobPath) => ({ blobPath, previousSubmissionId }));
  return client.post('/submissions', { assets });
}

test('whether an asset is a new version is decided per asset, so one request can both continue and start version groups (§2.2b, §9b)', async () => {
  const first = await submitNamed('a.txt', 'b.txt');
  const [fresh = '', b = '', a = ''] = await upload('fresh.txt', 'b.txt', 'a.txt');
  const { assets } = await submit(client, [
    fresh,
    { blobPath: b, previousSubmissionId: first.submissionId },
    { blobPath: a, previousSubmissionId: first.submissionId.toUpperCase() },
  ]);
  expect(assets).toMatchObject([
    { versionNumber: 1 },
    { versionGroupId: first.assets[1]?.versionGroupId, versionNumber: 2 },
    { versionGroupId: first.assets[0]?.versionGroupId, versionNumber: 2 },
  ]);
  expect(first.assets.map(({ versionGroupId }) => versionGroupId)).not.toContain(assets[0]?.versionGroupId);
});

describe('a new version of an asset', () => {
  test('continues the only asset, whatever the name of the new file (§1g, §4.3o, §9a)', async () => {
    const first = await submitNamed('a.txt');
    const next = await submitNextVersion(first.submissionId, 'still.png');
    expect(next).toMatchObject({
      status: 201,
      body: { assets: [{ versionGroupId: first.assets[0]?.versionGroupId, versionNumber: 2 }] },
    });
    expect(next.body.assets[0].assetId).not.toBe(first.assets[0]?.assetId);
  });

  test('gets the next number in the group, whichever version is named (§2.2g, §9b)', async () => {
    const first = await submitNamed('a.txt');
    const second = await submitNextVersion(first.submissionId, 'a.txt');
    const third = await submitNextVersion(first.submissionId, 'a.txt');
    const fourth = await submitNextVersion(second.body.submissionId, 'a.txt');
    const versions = [second, third, fourth].map(({ body }) => body.assets[0]);
    expect(versions.map(({ versionNumber }) => versionNumber)).toEqual([2, 3, 4]);
    expect(new Set(versions.map(({ versionGroupId }) => versionGroupId))).toEqual(
      new Set([first.assets[0]?.versionGroupId]),
    );
  });

  test('can be the same blob again', async () => {
    const [blobPath = ''] = await upload('a.txt');
    const { submissionId } = await submit(client, [blobPath]);
    expect((await submit(client, [{ blobPath, previousSubmissionId: submissionId }])).assets[0]?.versionNumber).toBe(2);
  });

  test('gets its own number, without gaps, even if versions are created concurrently', async () => {
    const { submissionId } = await submitNamed('a.txt', 'b.txt');
    // In both orders, so that a deadlock would show.
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        submitNextVersion(submissionId, ...(i % 2 ? ['a.txt', 'b.txt'] : ['b.txt', 'a.txt'])),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(201));
    const numbers = Map.groupBy(
      responses.flatMap(({ body }) => body.assets as { versionGroupId: string; versionNumber: number }[]),
      ({ versionGroupId }) => versionGroupId,
    );
    expect(numbers.size).toBe(2);
    for (const group of numbers.values()) {
      expect(group.map(({ versionNumber }) => versionNumber).sort((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    }
  });

  test('gets no number if the request is refused', async () => {
    const { submissionId } = await submitNamed('a.txt');
    const [blobPath = ''] = await upload('a.txt');
    const assets = [{ blobPath, previousSubmissionId: submissionId }];
    expect(await client.post('/submissions', { assets, sidekickIds: [randomUUID()] })).toMatchObject({ status: 422 });
    expect((await submit(client, assets)).assets[0]?.versionNumber).toBe(2);
  });

  describe('422 ambiguous_previous_version: neither name, category nor position decides', () => {
    test.each([
      ['two assets have the category of the new one', ['a.txt', 'b.txt'], 'c.txt'],
      ['no asset has the category of the new one', ['a.txt', 'b.txt'], 'logo.png'],
    ])('all candidates are listed if %s', async (_, before, name) => {
      const first = await submitNamed(...before);
      const { status, body } = await submitNextVersion(first.submissionId, name);
      expect(status).toBe(422);
      expect(body.code).toBe('ambiguous_previous_version');
      // All candidates, so that the caller knows the names to choose from.
      expect(body.errors).toEqual(
        first.assets.map(({ assetId }, i) => ({
          pointer,
          code: 'candidate',
          detail: expect.stringMatching(new RegExp(`${assetId}.*${before[i]}`)),
        })),
      );
    });
  });

  describe('several assets are matched together (§D1)', () => {
    test.each<[string, string[], string[], [old: number, matchedBy: string][]]>([
      [
        'name and position',
        ['a.txt', 'logo.png'],
        ['logo.png', 'b.png'],
        [
          [1, 'name'],
          [0, 'position'],
        ],
      ],
      [
        'category',
        ['ad_v1.png', 'logo_v1.png'],
        ['ad_v2.png', 'logo_v2.png'],
        [
          [0, 'category'],
          [1, 'category'],
        ],
      ],
    ])('the response names the previous asset and how it was matched, by %s', async (_, before, after, expected) => {
      const first = await submitNamed(...before);
      const { status, body } = await submitNextVersion(first.submissionId, ...after);
      expect([status, body.assets]).toMatchObject([
        201,
        expected.map(([old, matchedBy]) => ({
          versionGroupId: first.assets[old]?.versionGroupId,
          previousAssetId: first.assets[old]?.assetId,
          versionNumber: 2,
          matchedBy,
        })),
      ]);
    });
  });
});
