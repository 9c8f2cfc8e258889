import { randomUUID } from 'node:crypto';
import { liftedLimits, openTestApi, openWorkspace } from '@assay/testing/service/api.ts';
import type { Client } from '@assay/testing/service/client.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { uploadText } from '@assay/testing/service/submissions.ts';
import { putBlob } from '@assay/testing/storage/blobs.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { rowRemovers } from '#start/row-removers.ts';
import { deleteExpired } from '../retention/delete-expired.ts';

const api = await openTestApi(liftedLimits);
const { live: client, sandbox } = await openWorkspace(api);
const note = await uploadText(client);
const validBody = { assets: [{ blobPath: note }] };

const send = (key: string, json: unknown = validBody, query = '', by: Client = client) =>
  by.post(`/submissions${query}`, json, { headers: { 'idempotency-key': key } });

/** Makes the stored response for this key this many hours old. */
async function backdateResponse(key: string, hours: number): Promise<void> {
  await api.handles.db
    .updateTable('idempotency_keys')
    .set({ created_at: new Date(Date.now() - hours * 3_600_000) })
    .where('key', '=', key)
    .execute();
}

describe('an Idempotency-Key on POST /submissions', () => {
  test('a response stored by the previous release is replayed too', async () => {
    const key = randomUUID();
    const { body } = await send(key);
    await sql`
      update idempotency_keys
      set answer = jsonb_set(answer, '{assets,0}', answer #> '{assets,0}' #- '{previousAssetId}' #- '{matchedBy}')
      where key = ${key}`.execute(api.handles.db);
    expect(await send(key)).toMatchObject({ status: 201, body });
  });

  test('the response is replayed whatever the order of members in the body', async () => {
    const key = randomUUID();
    const first = await send(key, { assets: validBody.assets, metadata: { a: { x: 1, y: [1, 2] }, b: 2 } });
    const again = await send(key, { metadata: { b: 2, a: { y: [1, 2], x: 1 } }, assets: validBody.assets });
    expect(again.body).toEqual(first.body);
  });

  test('a request with a null optional member equals one without that member', async () => {
    const key = randomUUID();
    const first = await send(key, { ...validBody, sidekickIds: null });
    expect((await send(key)).body).toEqual(first.body);
  });

  test.each([
    ['another body', { ...validBody, sidekickIds: [] }, ''],
    ['a list in a different order', { ...validBody, metadata: { a: [2, 1] } }, ''],
    ['another delay', { ...validBody, metadata: { a: [1, 2] } }, '?simulationDelaySeconds=1'],
    ['a body that would be refused', { assets: [{ blobPath: 'x' }] }, ''],
  ])('422 idempotency_key_reused is returned for %s', async (_, json, query) => {
    const key = randomUUID();
    expect(await send(key, { ...validBody, metadata: { a: [1, 2] } }, '', sandbox)).toMatchObject({ status: 201 });
    expect(await send(key, json, query, sandbox)).toMatchObject(refused(422, 'idempotency_key_reused'));
  });

  test('a key used for a simulated run can be used again for a live one', async () => {
    const key = randomUUID();
    const simulated = await send(key, validBody, '', sandbox);
    const done = await send(key);
    expect([simulated.status, done.status]).toEqual([201, 201]);
    expect(done.headers.has('idempotency-replayed')).toBe(false);
    expect(done.body.submissionId).not.toBe(simulated.body.submissionId);
  });

  test('a refused request is not stored', async () => {
    const key = randomUUID();
    expect(await send(key, { ...validBody, sidekickIds: [randomUUID()] })).toMatchObject({ status: 422 });
    expect(await send(key, { assets: [{ blobPath: 'x' }] })).toMatchObject({ status: 403 });
    const answer = await send(key);
    expect(answer.status).toBe(201);
    expect(answer.headers.has('idempotency-replayed')).toBe(false);
  });

  test('the response is replayed even if the request would now be refused', async () => {
    const key = randomUUID();
    const { body: issued } = await client.post('/uploads/url', { filename: 'a.txt', contentType: 'text/plain' });
    const put = (body: string) => putBlob(issued.uploadUrl, body);
    await put('hello');
    const json = { assets: [{ blobPath: issued.blobPath }] };
    const first = await send(key, json);
    await put('\0'); // makes the file binary, so that a new submission would be refused
    expect(await client.post('/submissions', json)).toMatchObject({ status: 415 });
    expect(await send(key, json)).toMatchObject({ status: 201, body: first.body });
  });

  test('is kept for 24 hours and can then be used for another request', async () => {
    const key = randomUUID();
    const first = await send(key);
    await backdateResponse(key, 23.9);
    expect(await send(key)).toMatchObject({ status: 201, body: first.body });
    await backdateResponse(key, 24.1);
    const later = await send(key, { ...validBody, metadata: { a: 1 } });
    expect(later.status).toBe(201);
    expect(later.headers.has('idempotency-replayed')).toBe(false);
    expect(later.body.submissionId).not.toBe(first.body.submissionId);
    const again = await send(key, { ...validBody, metadata: { a: 1 } });
    expect(again.body).toEqual(later.body);
  });

  test('stored responses older than 24 hours are deleted, and younger ones are kept', async () => {
    const [old, young] = [randomUUID(), randomUUID()];
    await Promise.all([send(old), send(young)]);
    await backdateResponse(old, 24.1);
    await deleteExpired(api.handles, { unsubmittedHours: 48, mediaDays: 30, resultsDays: 365 }, rowRemovers);
    const rows = await api.handles.db
      .selectFrom('idempotency_keys')
      .select('key')
      .where('key', 'in', [old, young])
      .execute();
    expect(rows).toEqual([{ key: young }]);
  });

  test.each([
    ['of 255 characters is accepted', 'k'.repeat(255), 201],
    ['of 256 characters is refused with 422', 'k'.repeat(256), 422],
    ['without characters is refused with 422', '', 422],
  ])('a key %s', async (_, key, status) => {
    const answer = await send(key);
    expect(answer.status).toBe(status);
    if (status === 422) {
      expect(answer.body).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/idempotency-key' }] });
    }
  });
});
