import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import { submit, untilFinished, uploadText } from '@assay/testing/service/submissions.ts';
import { describe, expect, test } from 'vitest';
import type { WorkspaceId } from '#call/caller.ts';
import { restartsMax } from '#modules/submissions/runs/reconcile-store.ts';
import { findDueRun } from '#modules/submissions/runs/run-store.ts';
import { startRun } from '#modules/submissions/runs/start-run.ts';
import { workflowIdOf } from '#modules/submissions/workflow-id.ts';
import { startWorker } from '#start/worker.ts';
import { reconcileRuns } from './reconcile-runs.ts';
import { settle } from './settle.ts';

// A worker runs only in the tests that start one, so other runs stay unfinished.
const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,document' });
const { workspaceId, liveKey, sandboxKey } = await api.makeWorkspace();
const client = api.client(liveKey);
const textBlob = await uploadText(client);
const { client: engine, connection, namespace } = api.handles.workflows;

const terminateRun = (workflowId: string) => engine.workflow.getHandle(workflowId).terminate();
const statusOf = async (workflowId: string) => (await engine.workflow.getHandle(workflowId).describe()).status.name;

/** Simulates that the engine's database has lost one run. */
async function deleteFromEngine(workflowId: string): Promise<void> {
  await connection.workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId } });
  await expect.poll(() => statusOf(workflowId).catch((error: Error) => error.name)).toBe('WorkflowNotFoundError');
}

/** Reconciles until the runs are as expected, because a run that was just started briefly still counts as due. */
async function reconcileUntil(submissionId: string, runs: number[]): Promise<void> {
  const reconcile = async () => {
    await reconcileRuns(api.handles, 0);
    return runsOfAssets(submissionId);
  };
  await expect.poll(reconcile).toEqual(runs);
}

/** Starts a run as the sweeper does, but without its delay. */
async function startNextRun(submissionId: string, run: number): Promise<string> {
  const due = await findDueRun(api.handles.db, workspaceId as WorkspaceId, submissionId, run);
  if (!due) throw new Error(`run ${run} is not to be started`);
  await startRun(api.handles, due);
  return workflowIdOf({ submissionId, run });
}

describe('a run that the engine has lost', () => {
  test.each([
    ['terminated', terminateRun],
    ['deleted', deleteFromEngine],
  ])('is restarted as the same attempt after it was %s, and is charged only once', async (_, lose) => {
    const { submissionId, workflowId } = await submit(client, [textBlob]);
    const usedBefore = (await client.get('/me')).body.credits.used;
    await lose(workflowId);
    await reconcileUntil(submissionId, [2]);
    expect(await statusOf(await startNextRun(submissionId, 2))).toBe('RUNNING');

    const worker = await startWorker(api.config);
    try {
      const done = await untilFinished(client, submissionId);
      expect(done.assets).toMatchObject([{ status: 'complete', retryCount: 0 }]);
      expect((await client.get('/me')).body.credits.used).toBe(usedBefore + 1);
    } finally {
      await worker.stop();
    }
  });

  test('is also restarted if it belongs to a sandbox submission', async () => {
    const sandbox = api.client(sandboxKey);
    const { submissionId, workflowId } = await submit(sandbox, [await uploadText(sandbox)]);
    await terminateRun(workflowId);
    await reconcileUntil(submissionId, [2]);
    expect(await statusOf(await startNextRun(submissionId, 2))).toBe('RUNNING');
  });

  test('is replaced for its own assets only, while another run of the submission continues', async () => {
    const { submissionId, workflowId } = await submit(client, [textBlob, await uploadText(client)]);
    await api.handles.db
      .updateTable('assets')
      .set({ run: 2 })
      .where('submission_id', '=', submissionId)
      .where('position', '=', 1)
      .execute();
    await api.handles.db.updateTable('submissions').set({ run: 2 }).where('submission_id', '=', submissionId).execute();
    const other = workflowIdOf({ submissionId, run: 2 });
    const taskQueue = `${api.config.TEMPORAL_QUEUE_PREFIX}control`;
    await engine.workflow.start('analyseSubmission', { workflowId: other, taskQueue, args: [] });
    await terminateRun(workflowId);
    await reconcileUntil(submissionId, [2, 3]);
    expect(await statusOf(other)).toBe('RUNNING');
    await terminateRun(other);
  });

  test(`causes its assets to fail after more than ${restartsMax} restarts`, async () => {
    const { submissionId, workflowId } = await submit(client, [textBlob]);
    let current = workflowId;
    for (let run = 1; run <= restartsMax; run++) {
      await terminateRun(current);
      await reconcileUntil(submissionId, [run + 1]);
      current = await startNextRun(submissionId, run + 1);
    }
    await terminateRun(current);
    const read = async () => {
      await reconcileRuns(api.handles, 0);
      return (await client.get(`/submissions/${submissionId}`)).body;
    };
    await expect
      .poll(read)
      .toMatchObject({ status: 'failed', assets: [{ errorType: 'engine_unavailable', isRetryable: true }] });
  });
});

test('if the examination of an asset is missing from the database, settling the asset starts a new run for this asset alone', async () => {
  const { submissionId, assets } = await submit(client, [textBlob, await uploadText(client)]);
  const assetId = assets[0]?.assetId as string;
  // Simulates a restored database: the engine considers the asset examined, but the database has no record of it.
  await settle({ workspaceId: workspaceId as WorkspaceId, submissionId, assetId, attempt: 1 }, null, api.handles);
  expect(await runsOfAssets(submissionId)).toEqual([2, 1]);
  const { body } = await client.get(`/submissions/${submissionId}`);
  expect(body.assets).toMatchObject([{ status: 'submitted', errorType: null }, {}]);
});

test('reconcileRuns replaces neither a run that is in progress nor one that is about to be started', async () => {
  const { submissionId, workflowId } = await submit(client, [textBlob]);
  await reconcileRuns(api.handles, 0);
  expect(await runsOfAssets(submissionId)).toEqual([1]);

  await terminateRun(workflowId);
  await reconcileRuns(api.handles, 0);
  await reconcileRuns(api.handles, 0);
  expect(await runsOfAssets(submissionId)).toEqual([2]);
});

async function runsOfAssets(submissionId: string): Promise<number[]> {
  const query = api.handles.db.selectFrom('assets').select('run').where('submission_id', '=', submissionId);
  return (await query.orderBy('position').execute()).map(({ run }) => run);
}
