import { hash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import type { ApiResponse } from '@assay/testing/service/client.ts';
import {
  assetPath,
  type SubmissionIds,
  submit,
  submitAndCancel,
  untilFinished,
  uploadText,
} from '@assay/testing/service/submissions.ts';
import { putBlob } from '@assay/testing/storage/blobs.ts';
import { describe, expect, test } from 'vitest';

const settings = { ...liftedLimits, DATABASE_CONNECTIONS_MAX: '60' }; // many requests wait for one row at the same time
const api = await openTestApi({ ...settings, WORKER_QUEUES: 'control,document' });
await openTestWorker(api.config);
// No worker polls the queues of this API, so its submissions wait.
const apiWithoutWorker = await openTestApi(settings);
const client = api.client((await api.makeWorkspace()).liveKey);
const { db } = api.handles;

/** All requests wait for one row. On a busy host some time out and are repeated, as a client would do. */
async function untilAnswered(ask: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const response = await ask();
  const isUnanswered = response.status === 502 || response.body.code === 'idempotency_in_flight';
  return isUnanswered ? untilAnswered(ask) : response;
}

describe('concurrent callers', () => {
  test('50 requests with the same Idempotency-Key create one submission', async () => {
    const { liveKey, workspaceId } = await api.makeWorkspace();
    const caller = api.client(liveKey);
    const json = { assets: [{ blobPath: await uploadText(caller) }] };
    const headers = { 'idempotency-key': randomUUID() };
    const create = () => caller.post('/submissions', json, { headers });
    const responses = await Promise.all(Array.from({ length: 50 }, create));
    const created = responses.filter(({ status }) => status === 201);
    const inFlight = responses.filter(({ body }) => body.code === 'idempotency_in_flight');
    expect(created.length).toBeGreaterThan(0);
    expect(created.length + inFlight.length).toBe(50);
    expect(new Set(created.map(({ body }) => body.submissionId)).size).toBe(1);
    expect(created.filter(({ headers }) => !headers.has('idempotency-replayed'))).toHaveLength(1);
    const rows = await db
      .selectFrom('submissions')
      .select('submission_id')
      .where('workspace_id', '=', workspaceId)
      .execute();
    expect(rows.map((row) => row.submission_id)).toEqual([created[0]?.body.submissionId]);
    expect(await create()).toMatchObject({ status: 201, body: created[0]?.body });
  });

  test('50 new versions of one asset get the numbers 2 to 51, each once', async () => {
    const blobPath = await uploadText(client);
    const { submissionId } = await submit(client, [blobPath]);
    const json = { assets: [{ blobPath, previousSubmissionId: submissionId }] };
    const create = async (): Promise<SubmissionIds> => {
      const headers = { 'idempotency-key': randomUUID() };
      const { status, body } = await untilAnswered(() => client.post('/submissions', json, { headers }));
      expect(status).toBe(201);
      return body;
    };
    const versions = await Promise.all(Array.from({ length: 50 }, create));
    const numbers = versions.map(({ assets }) => assets[0]?.versionNumber as number);
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i + 2));
    expect(new Set(versions.map(({ assets }) => assets[0]?.versionGroupId)).size).toBe(1);
  });
});

describe('a failed asset that 64 callers retry at the same time', () => {
  const roundCount = Number(process.env.RETRY_ROUNDS ?? 10);
  test(`is retried once, and the other 63 requests are refused with retry_in_flight, in each of ${roundCount} rounds`, async () => {
    const callers = apiWithoutWorker.client((await apiWithoutWorker.makeWorkspace()).liveKey);
    for (let round = 0; round < roundCount; round++) {
      const created = await submitAndCancel(callers);
      const retry = () => untilAnswered(() => callers.post(`${assetPath(created)}/retry`));
      const responses = await Promise.all(Array.from({ length: 64 }, retry));
      const codes = responses.map(({ status, body }) => (status === 202 ? 'accepted' : `${status} ${body.code}`));
      expect(codes.sort()).toEqual([...Array(63).fill('409 retry_in_flight'), 'accepted']);
      const { body } = await callers.get(`/submissions/${created.submissionId}`);
      expect(body).toMatchObject({ workflowId: `submission:${created.submissionId}:2`, assets: [{ retryCount: 1 }] });
    }
  }, 300_000);
});

describe('a blob that is overwritten between acceptance and the end of the analysis', () => {
  const raceCount = Number(process.env.RACES ?? 60);
  const atOnce = 6;

  test(`is analysed with the bytes that were validated or fails with blob_changed, in each of ${raceCount} races`, async () => {
    const outcomes = { analysed: 0, refused: 0, 'validated the second': 0 };
    let left = raceCount;
    const runner = async () => {
      while (left-- > 0) outcomes[await race()]++;
    };
    await Promise.all(Array.from({ length: atOnce }, runner));
    console.log('races:', JSON.stringify(outcomes));
    expect(outcomes.analysed + outcomes.refused + outcomes['validated the second']).toBe(raceCount);
    // Both outcomes must occur, otherwise the timing was wrong and nothing was tested.
    expect(Math.min(outcomes.analysed, outcomes.refused)).toBeGreaterThan(0);
  }, 900_000);

  async function race(): Promise<'analysed' | 'refused' | 'validated the second'> {
    const { body: upload } = await client.post('/uploads/url', { filename: 'r.txt', contentType: 'text/plain' });
    const [first, second] = [someText(), someText()];
    await put(upload.uploadUrl, first);
    // Overwrites the blob mostly at once, sometimes so late that the analysis is finished.
    const overwritten = sleep(Math.random() ** 2 * 3000).then(() => put(upload.uploadUrl, second));
    const { submissionId } = await submit(client, [upload.blobPath]);
    const { assets } = await untilFinished(client, submissionId, 60);
    const secondTag = await overwritten;

    const row = await db
      .selectFrom('assets')
      .select(['etag', 'content_sha256'])
      .where('submission_id', '=', submissionId)
      .executeTakeFirstOrThrow();
    const isSecond = row.etag === secondTag;
    if (assets[0].status === 'failed') {
      expect(assets[0].errorType).toBe('blob_changed');
      return 'refused';
    }
    expect(row.content_sha256?.toString('hex')).toBe(hash('sha256', isSecond ? second : first));
    return isSecond ? 'validated the second' : 'analysed';
  }

  // Sizes from one block to many, so that some blobs are overwritten while they are read.
  const someText = () => Buffer.from(randomBytes(2 ** Math.floor(8 + Math.random() * 12)).toString('hex'));

  async function put(url: string, body: Buffer): Promise<string> {
    return (await putBlob(url, body)).headers.get('etag') as string;
  }
});
