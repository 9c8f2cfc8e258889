import { setTimeout as sleep } from 'node:timers/promises';
import { liftedLimits, openTestApi, openWorkspace, testEnvironment } from '@assay/testing/service/api.ts';
import { type ServerProcess, startServerProcess } from '@assay/testing/service/api-process.ts';
import { submit, untilFinished, uploadText } from '@assay/testing/service/submissions.ts';
import { afterAll, describe, expect, test } from 'vitest';

const api = await openTestApi(liftedLimits);
const { live, sandbox } = await openWorkspace(api);
const blobPath = await uploadText(sandbox);

// A separate process, so that it can be killed; it serves simulated runs and no live work.
const workerEnvironment = testEnvironment({
  TEMPORAL_QUEUE_PREFIX: api.config.TEMPORAL_QUEUE_PREFIX,
  WORKER_QUEUES: 'sandbox',
});
let worker: ServerProcess = await startServerProcess('worker', workerEnvironment);
afterAll(() => worker.stop('SIGKILL'));

const secondsBetween = ({ createdAt, completedAt }: { createdAt: string; completedAt: string }) =>
  (Date.parse(completedAt) - Date.parse(createdAt)) / 1000;
// Slack for a busy machine; the documented times are measured elsewhere.
const slackSeconds = 10;

describe('a simulated run', () => {
  test('is submitted, then processing, then complete, without results and without a charge (§1h, §3b, §8.3b)', async () => {
    const { body: before } = await sandbox.get('/me');
    const { submissionId, assets } = await submit(sandbox, [blobPath], {}, '?simulationDelaySeconds=1');
    const seen = new Set<string>();
    for (let status = ''; status !== 'complete'; await sleep(20)) {
      const { body } = await sandbox.get(`/submissions/${submissionId}`);
      status = body.status;
      seen.add(status);
      if (status !== 'complete') expect(body).toMatchObject({ completedAt: null, progressPercent: 0 });
    }
    expect([...seen].filter((status) => status !== 'submitted')).toEqual(['processing', 'complete']);
    const { body: asset } = await sandbox.get(`/submissions/${submissionId}/assets/${assets[0]?.assetId}`);
    expect(asset).toMatchObject({ status: 'complete', issues: [], issueCount: null, checks: [] });
    expect((await sandbox.get('/me')).body.credits).toEqual(before.credits);
  });

  test('completes after the delay and not before (§8.3a)', async () => {
    const { submissionId } = await submit(sandbox, [blobPath], {}, '?simulationDelaySeconds=5');
    const seconds = secondsBetween(await untilFinished(sandbox, submissionId));
    console.log(`a delay of 5 s took ${seconds} s`);
    expect(seconds).toBeGreaterThanOrEqual(5);
    expect(seconds).toBeLessThan(6.5 + slackSeconds);
  });

  test('completes at once without a delay', async () => {
    const { submissionId } = await submit(sandbox, [blobPath]);
    const seconds = secondsBetween(await untilFinished(sandbox, submissionId));
    console.log(`no delay took ${seconds} s`);
    expect(seconds).toBeLessThan(1.5 + slackSeconds);
  });

  test('still completes if its worker is killed during the delay', async () => {
    const { submissionId } = await submit(sandbox, [blobPath], {}, '?simulationDelaySeconds=5');
    await sleep(1000);
    await worker.stop('SIGKILL');
    worker = await startServerProcess('worker', workerEnvironment);
    const submission = await untilFinished(sandbox, submissionId, 60);
    expect(submission.status).toBe('complete');
    expect(secondsBetween(submission)).toBeGreaterThanOrEqual(5);
    console.log(`with its worker killed, a delay of 5 s took ${secondsBetween(submission)} s`);
  }, 90_000);

  test('completes without a worker for live submissions, while a live submission waits for such a worker (§1h)', async () => {
    const waiting = await submit(live, [blobPath]);
    const { submissionId } = await submit(sandbox, [blobPath]);
    expect((await untilFinished(sandbox, submissionId)).status).toBe('complete');
    expect((await live.get(`/submissions/${waiting.submissionId}`)).body.status).toBe('submitted');
  });

  test('counts as a version of the asset, like a live run', async () => {
    const first = await submit(sandbox, [blobPath]);
    const second = await submit(sandbox, [{ blobPath, previousSubmissionId: first.submissionId }]);
    expect(second.assets[0]).toMatchObject({ versionNumber: 2, versionGroupId: first.assets[0]?.versionGroupId });
  });
});
