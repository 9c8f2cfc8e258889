import { randomUUID } from 'node:crypto';
import { assetBytesMax } from '@assay/contract/limits.ts';
import { sidekicks } from '@assay/sidekicks/sidekick/catalogue.ts';
import { sample } from '@assay/testing/media/samples.ts';
import { liftedLimits, openTestApi, openWorkspace } from '@assay/testing/service/api.ts';
import type { Client } from '@assay/testing/service/client.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { azureSettings, putBlob } from '@assay/testing/storage/blobs.ts';
import { describe, expect, test } from 'vitest';
import { formatBlobPath, newBlobPath } from '#modules/uploads/blob-path.ts';
import { insertBlob } from '#modules/uploads/store.ts';

// No worker runs here: submissions stay `submitted`.
const api = await openTestApi(liftedLimits);
const { live: client, sandbox, ...workspace } = await openWorkspace(api);
const clientOnAzure = (await openTestApi({ ...liftedLimits, ...azureSettings })).client(workspace.liveKey);
const otherWorkspace = await api.makeWorkspace();
const stranger = api.client(otherWorkspace.liveKey);
const note = await uploadText(client);
const validBody = { assets: [{ blobPath: note }] };
const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}';

const create = (json: unknown, query = '', by: Client = client) => by.post(`/submissions${query}`, json);

async function issue(
  filename: string,
  contentType: string,
  by: Client = client,
): Promise<{ uploadUrl: string; blobPath: string }> {
  return (await by.post('/uploads/url', { filename, contentType })).body;
}

async function putFile(filename: string, contentType: string, bytes: Uint8Array | string): Promise<string> {
  const { uploadUrl, blobPath } = await issue(filename, contentType);
  await putBlob(uploadUrl, bytes);
  return blobPath;
}

describe('POST /submissions', () => {
  describe('201: the submission is registered and queued', () => {
    test('the response has the ids to follow the submission, and exactly the documented members (§3a, §4.3f, §6d)', async () => {
      const { status, headers, body } = await create(validBody);
      expect(status).toBe(201);
      expect(headers.has('idempotency-replayed')).toBe(false);
      expect(body).toEqual({
        submissionId: expect.stringMatching(new RegExp(`^${uuid}$`)),
        workflowId: `submission:${body.submissionId}:1`,
        realtimeChannel: `submission.${body.submissionId}`,
        status: 'submitted',
        assets: [
          {
            assetId: expect.stringMatching(new RegExp(`^${uuid}$`)),
            versionGroupId: expect.stringMatching(new RegExp(`^${uuid}$`)),
            versionNumber: 1,
            previousAssetId: null,
            matchedBy: null,
          },
        ],
      });
    });

    test('50 assets are accepted and keep the order of the request (§1b)', async () => {
      const names = Array.from({ length: 50 }, (_, i) => `${(i * 7) % 50}.txt`);
      const blobPaths = await Promise.all(names.map((name) => uploadText(client, name)));
      const { submissionId, assets } = await submit(client, blobPaths);
      const { body } = await client.get(`/submissions/${submissionId}`);
      const of = (list: { assetId: string }[]) => list.map(({ assetId }) => assetId);
      expect(body.assets.map(({ filename }: { filename: string }) => filename)).toEqual(names);
      expect(of(body.assets)).toEqual(of(assets));
      expect(new Set(of(assets)).size).toBe(50);
      expect(new Set(assets.map(({ versionGroupId }) => versionGroupId)).size).toBe(50);
    });

    test('a blob that another submission already uses becomes a new asset', async () => {
      const [first, second] = [await submit(client, [note]), await submit(client, [note])];
      expect(first.submissionId).not.toBe(second.submissionId);
      expect(first.assets[0]?.assetId).not.toBe(second.assets[0]?.assetId);
      expect(first.assets[0]?.versionGroupId).not.toBe(second.assets[0]?.versionGroupId);
    });

    test('a file that was uploaded to a presigned URL is accepted (§1a)', async () => {
      await submit(client, [await putFile('clip.mp4', 'video/mp4', sample('clip.mp4'))]);
    });

    test('a file name with characters that are special in URLs is accepted', async () => {
      await submit(client, [await uploadText(client, 'Ünï "q" %41 #?&+.txt')]);
    });

    test('null optional members count as absent (§2.5e, §4.3o)', async () => {
      const assets = [{ blobPath: note, previousSubmissionId: null }];
      const { status, body } = await create({ assets, sidekickIds: null, metadata: null });
      expect(status).toBe(201);
      const { body: read } = await client.get(`/submissions/${body.submissionId}`);
      expect(read.metadata).toEqual({});
    });

    test('a sidekick id in capital letters is accepted', async () => {
      await submit(client, [note], { sidekickIds: sidekicks.map(({ id }) => id.toUpperCase()) });
    });

    test('a file of the workspace is accepted, whichever key uploaded it', async () => {
      await submit(sandbox, [note]);
    });

    test.each(['', '?simulationDelaySeconds=', '?simulationDelaySeconds=null', '?simulationDelaySeconds=0'])(
      'the delay is 0 with a sandbox key and the query %j (§4.3a)',
      async (query) => {
        const { submissionId } = await submit(sandbox, [note], {}, query);
        expect(await storedDelay(submissionId)).toBe(0);
      },
    );

    test('the longest delay is accepted with a sandbox key (§4.3a, §8.3a)', async () => {
      const { submissionId } = await submit(sandbox, [note], {}, '?simulationDelaySeconds=30');
      expect(await storedDelay(submissionId)).toBe(30);
    });
  });

  describe('400: a delay with a live key, whatever its value (§4.3g, §5e, §7e, §8.3c)', () => {
    test.each(['', '=', '=0', '=5', '=31', '=x', '=null', '=1&simulationDelaySeconds=2'])(
      'simulation_needs_sandbox_key is returned for the value %j',
      async (value) => {
        const answer = await create(validBody, `?simulationDelaySeconds${value}`);
        expect(answer).toMatchObject(refused(400, 'simulation_needs_sandbox_key'));
      },
    );
  });

  describe('403: a path that was not issued to this workspace (§4.3h, §7h)', () => {
    test.each([
      ['a path of another workspace', (path: string) => ({ blobPath: path, by: stranger })],
      ['another name', (path: string) => ({ blobPath: path.replace('note', 'vote') })],
      ['the name in capital letters', (path: string) => ({ blobPath: path.replace('note', 'NOTE') })],
      ['a longer name', (path: string) => ({ blobPath: `${path}.txt` })],
      ['another id', (path: string) => ({ blobPath: path.replace(/[0-9a-f-]{36}(?=-note)/, randomUUID()) })],
      ['the id in capital letters', (path: string) => ({ blobPath: path.toUpperCase() })],
      [
        'the folder of another workspace',
        (path: string) => ({ blobPath: path.replace(/^[^/]+/, otherWorkspace.workspaceId) }),
      ],
      ['a path without its folder', (path: string) => ({ blobPath: path.replace(/^[^/]+\//, '') })],
      ['a path to a parent folder', (path: string) => ({ blobPath: `${path}/../../x` })],
      ['a leading slash', (path: string) => ({ blobPath: `/${path}` })],
      ['a trailing NUL', (path: string) => ({ blobPath: `${path}\0` })],
      ['a trailing lone surrogate', (path: string) => ({ blobPath: `${path}\ud800` })],
      ['an empty path', () => ({ blobPath: '' })],
      ['more than 2,048 bytes', (path: string) => ({ blobPath: path.padEnd(2049, 'a') })],
    ] as [string, (path: string) => { blobPath: string; by?: Client }][])('invalid_blob_path: %s', async (_, alter) => {
      const { blobPath, by } = alter(note);
      const answer = await create({ assets: [{ blobPath }] }, '', by);
      expect(answer).toMatchObject(refused(403, 'invalid_blob_path', '/assets/0/blobPath'));
    });

    test('invalid_blob_path names each invalid asset, and no other', async () => {
      const assets = [{ blobPath: 'x' }, { blobPath: note }, { blobPath: 'y' }];
      const answer = await create({ assets });
      expect(answer).toMatchObject(refused(403, 'invalid_blob_path', '/assets/0/blobPath', '/assets/2/blobPath'));
    });
  });

  describe('404: no such previous submission (§4.3i, §7j)', () => {
    test('previous_submission_not_found points to the asset that names an unknown submission', async () => {
      const answer = await create({ assets: [{ blobPath: note, previousSubmissionId: randomUUID() }] });
      expect(answer).toMatchObject(refused(404, 'previous_submission_not_found', '/assets/0/previousSubmissionId'));
    });
  });

  // The limits of the other categories are tested in uploaded-bytes.test.ts.
  describe('413: a file exceeds the size limit of its category', () => {
    test('asset_too_large is returned for an image of 50 MiB and one byte (§4.3j, §7l)', async () => {
      const blobPath = await putFile('a.png', 'image/png', Buffer.alloc(assetBytesMax.image + 1));
      const answer = await create({ assets: [{ blobPath: note }, { blobPath }] });
      expect(answer).toMatchObject(refused(413, 'asset_too_large', '/assets/1/blobPath'));
    });
  });

  describe('415: the type of the file is not the declared one, or not allowed', () => {
    test('content_type_mismatch is returned if the content is not of the declared type (§4.3k, §7m)', async () => {
      const blobPath = await putFile('clip.mp4', 'video/mp4', sample('still.png'));
      const answer = await create({ assets: [{ blobPath: note }, { blobPath }] });
      expect(answer).toMatchObject(refused(415, 'content_type_mismatch', '/assets/1/blobPath'));
    });

    test('content_type_not_allowed is returned for a type that was allowed when the path was issued (§4.3k)', async () => {
      const path = newBlobPath(workspace.workspaceId as never, 'logo.svg');
      const media = {
        type: 'image/svg+xml',
        category: 'image',
        extensions: [],
        aliases: [],
        recognisedAs: [],
      } as const;
      const blob = { path, media, location: api.handles.blobs.home, countedBytes: 0, isMeasured: false };
      await insertBlob(api.handles.db, { ...path, mode: 'live' }, blob, { bytesMax: null, filesMax: null });
      const answer = await create({ assets: [{ blobPath: formatBlobPath(path) }] });
      expect(answer).toMatchObject(refused(415, 'content_type_not_allowed', '/assets/0/blobPath'));
    });
  });

  describe('422: an invalid request', () => {
    const asset = validBody.assets[0];
    test.each([
      ['an empty object', {}, '/assets'],
      ['no assets', { assets: [] }, '/assets'],
      ['51 assets', { assets: Array(51).fill(asset) }, '/assets'],
      ['assets that are not a list', { assets: asset }, '/assets'],
      ['assets that are null', { assets: null }, '/assets'],
      ['an asset that is only a path', { assets: [note] }, '/assets/0'],
      ['an asset without a path', { assets: [{}] }, '/assets/0/blobPath'],
      ['a blobPath that is null', { assets: [{ blobPath: null }] }, '/assets/0/blobPath'],
      ['a path that is not a string', { assets: [asset, { blobPath: 1 }] }, '/assets/1/blobPath'],
      ['a file name beside the path (§4.3)', { assets: [{ ...asset, filename: 'a.txt' }] }, '/assets/0/filename'],
      ['a type beside the path (§4.3)', { assets: [{ ...asset, contentType: 'a/b' }] }, '/assets/0/contentType'],
      [
        'a previous submission that is not a string',
        { assets: [{ ...asset, previousSubmissionId: 1 }] },
        '/assets/0/previousSubmissionId',
      ],
      ['an unknown member', { ...validBody, 'a/b~c': 1 }, '/a~1b~0c'],
      ['a delay in the body', { ...validBody, simulationDelaySeconds: 1 }, '/simulationDelaySeconds'],
      ['sidekicks that are not a list', { ...validBody, sidekickIds: randomUUID() }, '/sidekickIds'],
      ['a sidekick that is not a UUID', { ...validBody, sidekickIds: [randomUUID(), 'x'] }, '/sidekickIds/1'],
      ['101 sidekicks', { ...validBody, sidekickIds: Array(101).fill(randomUUID()) }, '/sidekickIds'],
      ['metadata that is a list', { ...validBody, metadata: [] }, '/metadata'],
      ['metadata that is a string', { ...validBody, metadata: 'x' }, '/metadata'],
      ['a body that is a list', [validBody], ''],
      ['a body that is null', null, ''],
    ])('validation_failed is returned for %s (§4.3b, §4.3c, §4.3d, §4.3l, §4.3n, §7n)', async (_, json, pointer) => {
      expect(await create(json)).toMatchObject(refused(422, 'validation_failed', pointer));
    });

    test.each([
      ['a body that is not JSON', '{'],
      ['an empty body', ''],
      ['a member that would change the prototype', `{"assets":[{"blobPath":"${note}"}],"__proto__":{}}`],
    ])('validation_failed is returned for %s', async (_, body) => {
      const answer = await client.send('POST', '/submissions', {
        body,
        headers: { 'content-type': 'application/json' },
      });
      expect(answer).toMatchObject(refused(422, 'validation_failed'));
    });

    test.each(['31', '-1', '1.5', 'x', 'NULL', '1e1', '%201', '1&simulationDelaySeconds=1'])(
      'validation_failed is returned for a delay of %j with a sandbox key (§4.3a, §8.3a)',
      async (value) => {
        const answer = await create(validBody, `?simulationDelaySeconds=${value}`, sandbox);
        expect(answer).toMatchObject(refused(422, 'validation_failed', '/simulationDelaySeconds'));
      },
    );

    test('validation_failed reports all errors at once', async () => {
      const answer = await create({ assets: [{}], sidekickIds: ['x'], more: 1 }, '?simulationDelaySeconds=x', sandbox);
      const pointers = answer.body.errors.map(({ pointer }: { pointer: string }) => pointer);
      expect(pointers.sort()).toEqual(['/assets/0/blobPath', '/more', '/sidekickIds/0', '/simulationDelaySeconds']);
    });

    test('blob_archived is returned for a file in a tier that cannot be read (Azure)', async () => {
      const { uploadUrl, blobPath } = await issue('a.txt', 'text/plain', clientOnAzure);
      await putBlob(uploadUrl, 'hello', { 'x-ms-access-tier': 'Archive' });
      const answer = await create({ assets: [{ blobPath: note }, { blobPath }] });
      expect(answer).toMatchObject(refused(422, 'blob_archived', '/assets/1/blobPath'));
    });

    test('validation_failed lists at most 100 errors and gives the number of the remaining ones', async () => {
      const members = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`member${i}`, 1]));
      const { body } = await create({ assets: [{ blobPath: note }], ...members });
      expect([body.errors.length, body.errorsOmitted]).toEqual([100, 1900]);
    });

    test.each([
      ['members', Object.fromEntries(Array.from({ length: 11_000 }, (_, i) => [`member${i}`, 1]))],
      ['items', { assets: Array.from({ length: 11_000 }, () => 0) }],
      ['nested values', { assets: [[Array.from({ length: 110 }, () => Array.from({ length: 100 }, () => 0))]] }],
    ])('validation_failed is returned for a body with too many %s, which is not validated further', async (_, body) => {
      const answer = await create(body);
      expect(answer.status).toBe(422);
      expect(answer.body.errors).toEqual([{ pointer: '', code: 'too_many_values', detail: expect.any(String) }]);
    });

    test('blob_not_uploaded is returned if a URL was issued, but nothing was uploaded (§4.3m)', async () => {
      const { blobPath } = await issue('clip.mp4', 'video/mp4');
      const answer = await create({ assets: [{ blobPath: note }, { blobPath }] });
      expect(answer).toMatchObject(refused(422, 'blob_not_uploaded', '/assets/1/blobPath'));
    });

    test('blob_not_uploaded is returned for blocks that were not committed (Azure)', async () => {
      const { uploadUrl, blobPath } = await issue('a.txt', 'text/plain', clientOnAzure);
      await fetch(`${uploadUrl}&comp=block&blockid=YQ%3D%3D`, { method: 'PUT', body: 'hello' });
      expect(await create({ assets: [{ blobPath }] })).toMatchObject(refused(422, 'blob_not_uploaded'));
    });

    test('size_mismatch is returned if the stored file is not of the size that was declared last', async () => {
      const blobPath = await putFile('a.txt', 'text/plain', 'hello');
      const declare = (sizeBytes: number) => client.post('/uploads/renew', { blobPath, sizeBytes });
      await declare(6);
      const answer = await create({ assets: [{ blobPath: note }, { blobPath }] });
      expect(answer).toMatchObject(refused(422, 'size_mismatch', '/assets/1/blobPath'));
      expect(answer.body.errors[0].detail).toBe('a.txt was declared with 6 bytes, but 5 are stored.');
      await declare(5);
      expect((await create({ assets: [{ blobPath }] })).status).toBe(201);
    });

    test('duplicate_blob_path is returned for a request that contains the same file twice', async () => {
      const other = await uploadText(client);
      const assets = [note, other, note].map((blobPath) => ({ blobPath }));
      expect(await create({ assets })).toMatchObject(refused(422, 'duplicate_blob_path', '/assets/2/blobPath'));
    });

    test('duplicate_blob_path is returned for the same file in Unicode NFC and NFD', async () => {
      const blobPath = await uploadText(client, '\u00e9.txt');
      const assets = [blobPath.normalize('NFC'), blobPath.normalize('NFD')].map((path) => ({ blobPath: path }));
      expect(new Set(assets.map((asset) => asset.blobPath)).size).toBe(2);
      expect(await create({ assets })).toMatchObject(refused(422, 'duplicate_blob_path', '/assets/1/blobPath'));
    });

    test('unknown_sidekick names each unknown id, and no other (§2.5g)', async () => {
      const known = sidekicks[0]?.id;
      const answer = await create({ ...validBody, sidekickIds: [randomUUID(), known, randomUUID()] });
      expect(answer).toMatchObject(refused(422, 'unknown_sidekick', '/sidekickIds/0', '/sidekickIds/2'));
    });

    test('unknown_profile is returned if the workspace has no such profile', async () => {
      const answer = await create({ ...validBody, metadata: { assay: { profile: 'loud' } } });
      expect(answer).toMatchObject(refused(422, 'unknown_profile', '/metadata/assay/profile'));
    });

    // More about versions and keys is tested in versions.test.ts and idempotency.test.ts.
    test('ambiguous_previous_version and duplicate_previous_version point to the refused asset', async () => {
      const names = ['a.txt', 'b.txt'];
      const pair = await submit(client, await Promise.all(names.map((name) => uploadText(client, name))));
      const previousSubmissionId = pair.submissionId;
      const pointer = '/assets/0/previousSubmissionId';
      const unclear = await create({ assets: [{ blobPath: note, previousSubmissionId }] });
      expect(unclear).toMatchObject(refused(422, 'ambiguous_previous_version', pointer, pointer));
      const blobPath = await uploadText(client, 'a.txt');
      const next = await submit(client, [{ blobPath, previousSubmissionId }]);
      const both = [await uploadText(client, 'a.txt'), await uploadText(client, 'a.txt')];
      const ofOneGroup = [previousSubmissionId, next.submissionId];
      const twice = await create({
        assets: both.map((path, i) => ({ blobPath: path, previousSubmissionId: ofOneGroup[i] })),
      });
      expect(twice).toMatchObject(refused(422, 'duplicate_previous_version', '/assets/1/previousSubmissionId'));
    });
  });

  test('a refused request creates no submission', async () => {
    const fresh = api.client((await api.makeWorkspace()).liveKey);
    const blobPath = await uploadText(fresh);
    await create({ assets: [{ blobPath }], sidekickIds: [randomUUID()] }, '', fresh);
    await create({ assets: [{ blobPath }, { blobPath }] }, '', fresh);
    expect((await fresh.get('/submissions')).body.submissions).toEqual([]);
  });
});

async function storedDelay(submissionId: string): Promise<number | undefined> {
  const row = await api.handles.db
    .selectFrom('submissions')
    .select('simulation_delay_seconds')
    .where('submission_id', '=', submissionId)
    .executeTakeFirst();
  return row?.simulation_delay_seconds;
}
