import { randomUUID } from 'node:crypto';
import { keyRecheckSeconds } from '@assay/contract/limits.ts';
import { prefixes } from '@assay/contract/route.ts';
import { makePdf, sample } from '@assay/testing/media/samples.ts';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import type { ApiResponse } from '@assay/testing/service/client.ts';
import { recordCalls } from '@assay/testing/service/record-calls.ts';
import {
  assetPath,
  type SubmissionIds,
  submit,
  submitAndCancel,
  untilFinished,
  uploadText,
} from '@assay/testing/service/submissions.ts';
import { describe, expect, test } from 'vitest';
import { type Cost, expectCost, expectNumbers } from './expect-cost.ts';

// How often a request calls each dependency. The benches `pipeline` and `submissions` measure how long that takes.

const settings = { ...liftedLimits, SWEEP_SECONDS: '3600' }; // a sweep would add its own statements
const apiWithoutWorker = await openTestApi(settings); // without a worker, whose calls would be counted too
const workspace = await apiWithoutWorker.makeWorkspace();
const live = apiWithoutWorker.client(workspace.liveKey);
const uploadFiles = (count: number) => Promise.all(Array.from({ length: count }, () => uploadText(live)));
const [onePath, tenPaths] = [await uploadFiles(1), await uploadFiles(10)];
const [smallSubmission, largeSubmission] = [await submit(live, onePath), await submit(live, tenPaths)];
const { body: issued } = await live.post('/uploads/url', { filename: 'a.mp4', contentType: 'video/mp4' });

const create = (blobPaths: string[], idempotencyKey?: string, previousSubmissionId?: string) =>
  live.post(
    '/submissions',
    { assets: blobPaths.map((blobPath) => ({ blobPath, previousSubmissionId })) },
    { headers: idempotencyKey ? { 'idempotency-key': idempotencyKey } : {} },
  );
const usedKey = randomUUID();
await create(onePath, usedKey);
const { headers: tagged } = await live.get(`/submissions/${largeSubmission.submissionId}`);
const ifUnchanged = { headers: { 'if-none-match': tagged.get('etag') as string } };

// Three submissions in a separate workspace, of which a page shows two.
const listClient = apiWithoutWorker.client((await apiWithoutWorker.makeWorkspace()).liveKey);
for (let i = 0; i < 3; i++) await submit(listClient, [await uploadText(listClient)]);

// These two submissions are examined, so that they have results. Their worker is idle afterwards.
const api = await openTestApi({ ...settings, WORKER_QUEUES: 'control,document' });
await openTestWorker(api.config);
async function examine(bytes: Uint8Array): Promise<SubmissionIds> {
  const { body } = await live.uploadFile('leaflet.pdf', bytes);
  for (;;) {
    const created = await submit(api.client(workspace.liveKey), [body.blobPath]);
    const isFinished = await untilFinished(live, created.submissionId, 20).catch(() => false);
    if (isFinished) return created; // otherwise the engine did not accept the run in time, and no sweep starts it
  }
}
const cleanSubmission = await examine(makePdf());
const flawedSubmission = await examine(makePdf('/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>'));
const { body: issueList } = await live.get(`${assetPath(flawedSubmission)}/issues`);
const [issueA, issueB] = issueList.issues.map(
  ({ id }: { id: string }) => `${assetPath(flawedSubmission)}/issues/${id}`,
);

type RequestCase = [
  what: string,
  status: number,
  cost: Cost,
  request: (prepared: SubmissionIds) => Promise<ApiResponse>,
  prepare?: () => Promise<SubmissionIds>,
];
const costs = (sql: number, rows: number, more: Partial<Cost> = {}): Cost => ({
  ...{ sql, rows, redis: 1, storage: 0, engine: 0 }, // one Redis command: the rate limit
  ...more,
});
const uploadRequest = { filename: 'a.mp4', contentType: 'video/mp4' };
const makeCancelled = () => submitAndCancel(live);
const makeWaiting = () => submit(live, onePath);
const pathOf = ({ submissionId }: SubmissionIds) => `/submissions/${submissionId}`;

const requests: RequestCase[] = [
  ['GET /me', 200, costs(1, 1), () => live.get('/me')],
  ['GET /sidekicks', 200, costs(0, 0), () => live.get('/sidekicks')],
  ['POST /uploads/url', 200, costs(1, 0), () => live.post('/uploads/url', uploadRequest)],
  ['POST /uploads/renew', 200, costs(2, 2), () => live.post('/uploads/renew', { blobPath: issued.blobPath })],
  ['POST /uploads/direct', 201, costs(1, 0, { storage: 1 }), () => live.uploadFile('note.txt', 'hello')],

  ['POST /submissions, 1 asset', 201, costs(4, 2, { storage: 1, engine: 1 }), () => create(onePath)],
  ['POST /submissions, 10 assets', 201, costs(4, 11, { storage: 10, engine: 1 }), () => create(tenPaths)],
  [
    'POST /submissions, with an Idempotency-Key',
    201,
    costs(10, 3, { storage: 1, engine: 1 }),
    () => create(onePath, randomUUID()),
  ],
  ['POST /submissions, with a used Idempotency-Key', 201, costs(1, 1), () => create(onePath, usedKey)],
  [
    'POST /submissions, a next version',
    201,
    costs(8, 4, { storage: 1, engine: 1 }),
    () => create(onePath, undefined, smallSubmission.submissionId),
  ],
  [
    'POST …/retry',
    202,
    costs(10, 6, { redis: 2, engine: 1 }),
    (old) => live.post(`${assetPath(old)}/retry`),
    makeCancelled,
  ],
  [
    'POST …/cancel',
    202,
    costs(11, 5, { redis: 3, engine: 1 }),
    (old) => live.post(`${pathOf(old)}/cancel`),
    makeWaiting,
  ],

  ['GET /submissions/{id}, 1 asset', 200, costs(1, 1), () => live.get(pathOf(smallSubmission))],
  ['GET /submissions/{id}, 10 assets', 200, costs(1, 1), () => live.get(pathOf(largeSubmission))],
  [
    'GET /submissions/{id}, unchanged since the last poll',
    304,
    costs(1, 1),
    () => live.get(pathOf(largeSubmission), ifUnchanged),
  ],
  ['GET /submissions?limit=2', 200, costs(1, 3), () => listClient.get('/submissions?limit=2')],

  ['GET …/assets/{id}', 200, costs(2, 3), () => live.get(assetPath(flawedSubmission))],
  ['GET …/issues', 200, costs(3, 4), () => live.get(`${assetPath(flawedSubmission)}/issues`)],
  ['GET …/issues/{id}', 200, costs(3, 2), () => live.get(issueA)],
  // The decision, the verdict that follows from all decisions, and the notification of those who follow the submission.
  ['PATCH …/issues/{id}', 200, costs(10, 7, { redis: 2 }), () => live.patch(issueB, { status: 'ACKNOWLEDGED' })],
];

// Retried, because on a busy machine the engine may not accept a run in time, which is then left to the sweeper.
describe('what a request costs', { retry: 2 }, () => {
  test.each(requests)(
    '%s has the expected cost',
    async (what, status, cost, request, prepare = async () => smallSubmission) => {
      const prepared = await prepare();
      let response: ApiResponse | undefined;
      const calls = await recordCalls(async () => {
        response = await request(prepared);
      });
      expect(response?.status, JSON.stringify(response?.body)).toBe(status);
      expectCost(what, calls, cost);
    },
  );

  test('a key is looked up once per recheck interval, and its use is recorded once', async () => {
    const { liveKey } = await apiWithoutWorker.makeWorkspace();
    const beganAt = performance.now();
    const { sql } = await recordCalls(async () => {
      for (let i = 0; i < 20; i++) await apiWithoutWorker.client(liveKey).get('/me');
    });
    const rechecks = Math.floor((performance.now() - beganAt) / 1000 / keyRecheckSeconds);
    const count = (pattern: RegExp) => sql.filter(({ text }) => pattern.test(text)).length;
    const actual = { lookups: count(/from "api_keys"/), uses: count(/update "api_keys"/) };
    expectNumbers('20 requests with one key', actual, { lookups: 1 + rechecks, uses: 1 });
  });

  test('an upload sends its bytes to storage once, and a submission reads only 64 KiB of the file', async () => {
    const tone = sample('tone.wav');
    let blobPath = '';
    const upload = await recordCalls(async () => {
      blobPath = (await live.uploadFile('tone.wav', tone)).body.blobPath;
    });
    expect(upload.storage).toEqual([{ method: 'PUT', sentBytes: tone.length, receivedBytes: 0 }]);
    const { storage } = await recordCalls(() => create([blobPath]));
    expect(storage).toEqual([{ method: 'GET', sentBytes: 0, receivedBytes: 64 * 1024 }]);
    expect(tone.length).toBeGreaterThan(64 * 1024);
  });
});

test('the response to a poll does not grow with the number of issues', async () => {
  expect(issueList.totalCount).toBe(2);
  const bytesOf = async (created: SubmissionIds) => {
    const response = await fetch(`${apiWithoutWorker.url}${prefixes[0]}${pathOf(created)}`, {
      headers: { 'x-api-key': workspace.liveKey },
    });
    return (await response.arrayBuffer()).byteLength;
  };
  const [none, two] = [await bytesOf(cleanSubmission), await bytesOf(flawedSubmission)];
  expectNumbers('GET /submissions/{id} with two issues', { bytes: two }, { bytes: none });
});
