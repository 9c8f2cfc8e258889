import { setTimeout as sleep } from 'node:timers/promises';
import { liftedLimits, openTestApi, openTestWorker, openWorkspace } from '@assay/testing/service/api.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { type SubmissionIds, submit, untilFinished, uploadText } from '@assay/testing/service/submissions.ts';
import { describe, expect, test } from 'vitest';
import { sweepRuns } from './runs/sweep-runs.ts';

const apiWithWorker = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,sandbox,document' });
const apiWithoutWorker = await openTestApi(liftedLimits); // without a worker: submissions stay queued
const apiWithoutEngine = await openTestApi({ ...liftedLimits, TEMPORAL_ADDRESS: '127.0.0.1:1' });
const { live, sandbox, ...workspace } = await openWorkspace(apiWithWorker);
const waitingClient = apiWithoutWorker.client(workspace.liveKey);
await openTestWorker(apiWithWorker.config);

const cancelPath = ({ submissionId }: Pick<SubmissionIds, 'submissionId'>) => `/submissions/${submissionId}/cancel`;

/** The status of a run in the engine. */
async function statusInEngine({ workflowId }: SubmissionIds): Promise<string> {
  const { status } = await apiWithWorker.handles.workflows.client.workflow.getHandle(workflowId).describe();
  return status.name;
}

async function waitForStatusInEngine(created: SubmissionIds, status: string): Promise<void> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(100)) {
    if ((await statusInEngine(created)) === status) return;
  }
  throw new Error(`${created.workflowId} is ${await statusInEngine(created)}, not ${status}`);
}

describe('POST /submissions/{submission_id}/cancel', () => {
  describe('202: unfinished assets are cancelled', () => {
    test('unfinished assets fail at once, with a retryable errorType', async () => {
      const created = await submit(waitingClient, [await uploadText(waitingClient), await uploadText(waitingClient)]);
      const { status, body } = await waitingClient.post(cancelPath(created));
      expect(status).toBe(202);
      expect(body).toMatchObject({ status: 'failed', isRetryable: true, errorMessage: '2 of 2 assets failed' });
      expect(body.completedAt).not.toBeNull();
      for (const asset of body.assets) {
        expect(asset).toMatchObject({ status: 'failed', errorType: 'cancelled', isRetryable: true, issueCount: null });
      }
      expect((await waitingClient.get(`/submissions/${created.submissionId}`)).body).toEqual(body);
    });

    test('finished assets stay as they are', async () => {
      const { db } = apiWithoutWorker.handles;
      const created = await submit(waitingClient, [await uploadText(waitingClient), await uploadText(waitingClient)]);
      const values = { status: 'complete', completed_at: new Date(), progress_percent: 100, issue_count: 0 };
      const assetId = created.assets[0]?.assetId as string;
      await db.updateTable('assets').set(values).where('asset_id', '=', assetId).execute();
      const { body } = await waitingClient.post(cancelPath(created));
      expect(body.assets).toMatchObject([{ status: 'complete', issueCount: 0 }, { errorType: 'cancelled' }]);
      expect(body).toMatchObject({ status: 'failed', errorMessage: '1 of 2 assets failed' });
    });

    test('a simulated run that is waiting for its delay ends, also in the engine', async () => {
      const created = await submit(sandbox, [await uploadText(sandbox)], {}, '?simulationDelaySeconds=30');
      await waitForStatusInEngine(created, 'RUNNING');
      expect(await sandbox.post(cancelPath(created))).toMatchObject({ status: 202, body: { status: 'failed' } });
      await waitForStatusInEngine(created, 'CANCELLED');
      expect(await untilFinished(sandbox, created.submissionId)).toMatchObject({ status: 'failed' });
    });

    test('the sweeper cancels the run later if the engine was unreachable', async () => {
      const created = await submit(sandbox, [await uploadText(sandbox)], {}, '?simulationDelaySeconds=30');
      await waitForStatusInEngine(created, 'RUNNING');
      const response = await apiWithoutEngine.client(workspace.sandboxKey).post(cancelPath(created));
      expect(response).toMatchObject({ status: 202, body: { status: 'failed' } });
      expect(await statusInEngine(created)).toBe('RUNNING');
      const inAMinute = { now: () => new Date(Date.now() + 60_000) };
      await sweepRuns({ ...apiWithWorker.handles, clock: inAMinute });
      await waitForStatusInEngine(created, 'CANCELLED');
      const left = apiWithWorker.handles.db.selectFrom('runs_to_cancel').select('run');
      expect(await left.where('submission_id', '=', created.submissionId).execute()).toEqual([]);
    });

    test('a run that starts only after the cancellation has nothing left to do', async () => {
      const created = await submit(waitingClient, [await uploadText(waitingClient)]);
      await waitingClient.post(cancelPath(created));
      const workflow = 'analyseSubmission';
      const assets = [{ assetId: created.assets[0]?.assetId, attempt: 1, category: 'document' }];
      const { submissionId } = created;
      await apiWithWorker.handles.workflows.client.workflow.execute(workflow, {
        workflowId: `late:${submissionId}`,
        taskQueue: `${apiWithWorker.config.TEMPORAL_QUEUE_PREFIX}control`,
        args: [{ workspaceId: workspace.workspaceId, submissionId, run: 1, delaySeconds: 0, assets }],
      });
      expect(await untilFinished(waitingClient, submissionId)).toMatchObject({ assets: [{ errorType: 'cancelled' }] });
    });

    test('a cancelled submission is not charged', async () => {
      const before = (await live.get('/me')).body.credits.used;
      const created = await submit(waitingClient, [await uploadText(waitingClient)]);
      await waitingClient.post(cancelPath(created));
      expect((await live.get('/me')).body.credits.used).toBe(before);
    });
  });

  describe('403: the key is a sandbox key and the submission is live', () => {
    test('live_submission is returned, and the submission is not cancelled', async () => {
      const created = await submit(waitingClient, [await uploadText(waitingClient)]);
      const response = await apiWithoutWorker.client(workspace.sandboxKey).post(cancelPath(created));
      expect(response).toMatchObject(refused(403, 'live_submission'));
      expect((await waitingClient.get(`/submissions/${created.submissionId}`)).body.status).toBe('submitted');
    });
  });

  describe('409: the submission has already finished', () => {
    test('submission_settled is returned for a complete submission', async () => {
      const created = await submit(live, [await uploadText(live)]);
      await untilFinished(live, created.submissionId);
      expect(await live.post(cancelPath(created))).toMatchObject(refused(409, 'submission_settled'));
    });

    test('submission_settled is returned to all but one of eight concurrent cancellations', async () => {
      const created = await submit(waitingClient, [await uploadText(waitingClient)]);
      const responses = await Promise.all(Array.from({ length: 8 }, () => waitingClient.post(cancelPath(created))));
      const others = responses.filter(({ status }) => status !== 202);
      expect(others).toMatchObject(Array(7).fill(refused(409, 'submission_settled')));
    });
  });
});
