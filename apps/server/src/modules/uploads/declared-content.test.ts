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
const sentText = 'the text that is sent';
const otherSha256 = sha256Of('the text on disk');

async function upload(contentSha256?: string): Promise<string> {
  const { body } = await client.post('/uploads/url', { filename: 'a.txt', contentType: 'text/plain', contentSha256 });
  await putBlob(body.uploadUrl, sentText);
  return body.blobPath;
}

async function submitAndRead(blobPath: string) {
  const { submissionId, assets } = await submit(client, [blobPath], { sidekickIds: [] });
  await untilFinished(client, submissionId);
  return (await client.get(`/submissions/${submissionId}/assets/${assets[0]?.assetId}`)).body;
}

const mismatchedAsset = {
  status: 'failed',
  errorType: 'content_mismatch',
  isRetryable: false,
  issueCount: null,
  checks: [],
  contentSha256: null,
};
const completeAsset = { status: 'complete', errorType: null, contentSha256: sha256Of(sentText) };

describe('the declared SHA-256 of an upload', () => {
  test('makes the asset fail with content_mismatch if the stored file has a different hash', async () => {
    expect(await submitAndRead(await upload(otherSha256))).toMatchObject(mismatchedAsset);
  });

  test.each([
    ['in lower case', sha256Of(sentText)],
    ['in upper case', sha256Of(sentText).toUpperCase()],
  ])('is accepted %s if it matches the stored file', async (_, declared) => {
    expect(await submitAndRead(await upload(declared))).toMatchObject(completeAsset);
  });

  test('is replaced when the URL is renewed with a different hash, and kept when the URL is renewed without one', async () => {
    const blobPath = await upload(otherSha256);
    await client.post('/uploads/renew', { blobPath });
    expect(await submitAndRead(blobPath)).toMatchObject(mismatchedAsset);
    await client.post('/uploads/renew', { blobPath, contentSha256: sha256Of(sentText) });
    expect(await submitAndRead(blobPath)).toMatchObject(completeAsset);
  });

  test('is fixed when the file is submitted, and a later declaration does not change the result', async () => {
    const blobPath = await upload(sha256Of(sentText));
    const { submissionId, assets } = await submit(client, [blobPath], { sidekickIds: [] });
    await client.post('/uploads/renew', { blobPath, contentSha256: otherSha256 });
    const { rows } = await sql<{ declared: Buffer }>`
      select declared_sha256 as declared from assets where asset_id = ${assets[0]?.assetId}`.execute(api.handles.db);
    expect(rows[0]?.declared.toString('hex')).toBe(sha256Of(sentText));
    expect(await untilFinished(client, submissionId)).toMatchObject({ status: 'complete' });
  });

  test('is dropped when a different size is declared without a hash', async () => {
    const blobPath = await upload(otherSha256);
    for (const sizeBytes of [4, sentText.length]) await client.post('/uploads/renew', { blobPath, sizeBytes });
    expect(await submitAndRead(blobPath)).toMatchObject(completeAsset);
  });

  test('can be declared with the parts of the file', async () => {
    const { body } = await client.post('/uploads/url', { filename: 'a.txt', contentType: 'text/plain' });
    const { blobPath } = body;
    const parts = await client.post('/uploads/parts', { blobPath, partCount: 1, contentSha256: otherSha256 });
    await putBlob(parts.body.parts[0].uploadUrl, sentText);
    expect((await client.post('/uploads/parts/complete', { blobPath, partCount: 1 })).status).toBe(200);
    expect(await submitAndRead(blobPath)).toMatchObject(mismatchedAsset);
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
