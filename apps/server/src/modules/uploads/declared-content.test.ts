import { createHash } from 'node:crypto';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { submit, untilFinished } from '@assay/testing/service/submissions.ts';
import { putBlob } from '@assay/testing/storage/blobs.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';

const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,document' });
await openTestWorker(api.config);
const { liveKey } = await api.makeWorkspace();
const client = api.client(liveKey);

const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex');
const sent = 'the text that is sent';
const other = sha256Of('the text on disk');

async function upload(contentSha256?: string): Promise<string> {
  const { body } = await client.post('/uploads/url', { filename: 'a.txt', contentType: 'text/plain', contentSha256 });
  await putBlob(body.uploadUrl, sent);
  return body.blobPath;
}

async function check(blobPath: string) {
  const { submissionId, assets } = await submit(client, [blobPath], { sidekickIds: [] });
  await untilFinished(client, submissionId);
  return (await client.get(`/submissions/${submissionId}/assets/${assets[0]?.assetId}`)).body;
}

const mismatch = {
  status: 'failed',
  errorType: 'content_mismatch',
  isRetryable: false,
  issueCount: null,
  checks: [],
  contentSha256: null,
};
const intact = { status: 'complete', errorType: null, contentSha256: sha256Of(sent) };

describe('the declared SHA-256 of an upload', () => {
  test('fails the asset with content_mismatch if the stored file has another hash', async () => {
    expect(await check(await upload(other))).toMatchObject(mismatch);
  });

  test.each([
    ['in lower case', sha256Of(sent)],
    ['in upper case', sha256Of(sent).toUpperCase()],
  ])('is accepted %s if it matches the stored file', async (_, declared) => {
    expect(await check(await upload(declared))).toMatchObject(intact);
  });

  test('is replaced when the URL is renewed with another hash, and kept when it is renewed without one', async () => {
    const blobPath = await upload(other);
    await client.post('/uploads/renew', { blobPath });
    expect(await check(blobPath)).toMatchObject(mismatch);
    await client.post('/uploads/renew', { blobPath, contentSha256: sha256Of(sent) });
    expect(await check(blobPath)).toMatchObject(intact);
  });

  test('is fixed when the file is submitted, and a later declaration does not change the result', async () => {
    const blobPath = await upload(sha256Of(sent));
    const { submissionId, assets } = await submit(client, [blobPath], { sidekickIds: [] });
    await client.post('/uploads/renew', { blobPath, contentSha256: other });
    const { rows } = await sql<{ declared: Buffer }>`
      select declared_sha256 as declared from assets where asset_id = ${assets[0]?.assetId}`.execute(api.handles.db);
    expect(rows[0]?.declared.toString('hex')).toBe(sha256Of(sent));
    expect(await untilFinished(client, submissionId)).toMatchObject({ status: 'complete' });
  });

  test('is dropped when another size is declared without a hash', async () => {
    const blobPath = await upload(other);
    for (const sizeBytes of [4, sent.length]) await client.post('/uploads/renew', { blobPath, sizeBytes });
    expect(await check(blobPath)).toMatchObject(intact);
  });

  test('can be declared with the parts of the file', async () => {
    const { body } = await client.post('/uploads/url', { filename: 'a.txt', contentType: 'text/plain' });
    const { blobPath } = body;
    const parts = await client.post('/uploads/parts', { blobPath, partCount: 1, contentSha256: other });
    await putBlob(parts.body.parts[0].uploadUrl, sent);
    expect((await client.post('/uploads/parts/complete', { blobPath, partCount: 1 })).status).toBe(200);
    expect(await check(blobPath)).toMatchObject(mismatch);
  });

  test.each(['', 'abc', 'g'.repeat(64), 'a'.repeat(65)])(
    'is refused with 422 if it is not a SHA-256, such as %j',
    async (text) => {
      const request = { filename: 'a.txt', contentType: 'text/plain', contentSha256: text };
      expect(await client.post('/uploads/url', request)).toMatchObject(
        refused(422, 'validation_failed', '/contentSha256'),
      );
    },
  );
});
