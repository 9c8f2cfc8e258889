import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import { openOwnerDb } from '@assay/testing/service/owner-db.ts';
import { submit, untilFinished, uploadText } from '@assay/testing/service/submissions.ts';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { WorkspaceId } from '#call/caller.ts';
import { restartsMax } from '#modules/submissions/runs/reconcile-store.ts';
import { findDueRun } from '#modules/submissions/runs/run-store.ts';
import { startRun } from '#modules/submissions/runs/start-run.ts';
import { workflowIdOf } from '#modules/submissions/workflow-id.ts';
import { startWorker } from '#start/worker.ts';
import { runsRestarted } from './metrics.ts';
import { reconcileRuns } from './reconcile-runs.ts';
import { settle } from './settle.ts';

// A worker runs only in the tests that start one, so other runs stay unfinished.
const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,document' });
const ownerDb = openOwnerDb();
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

describe('reconcileRuns', () => {
  /** Calls this statement whenever a row of the submission is changed or inserted like this. */
  async function onChange(event: string, submissionId: string, statement: string): Promise<void> {
    const name = `test_${submissionId.replaceAll('-', '')}`;
    await sql
      .raw(`create function ${name}() returns trigger language plpgsql as $$ begin ${statement}; return new; end $$`)
      .execute(ownerDb);
    await sql
      .raw(`create trigger ${name} after ${event} for each row when (new.submission_id = '${submissionId}')
        execute function ${name}()`)
      .execute(ownerDb);
    onTestFinished(async () => void (await sql.raw(`drop function ${name} cascade`).execute(ownerDb)));
  }

  async function submitAndLose(by = client) {
    const created = await submit(by, [by === client ? textBlob : await uploadText(by)]);
    await terminateRun(created.workflowId);
    return created.submissionId;
  }

  test('continues with the other runs if one cannot be restarted', async () => {
    const [refused, other] = [await submitAndLose(), await submitAndLose()];
    await onChange('insert on runs_to_start', refused, `raise exception 'refused'`);
    await reconcileUntil(other, [2]);
    expect(await runsOfAssets(refused)).toEqual([1]);
  });

  test('does not count a run as lost that finishes while it is compared', async () => {
    const restarts = async () => (await runsRestarted(api.handles.metrics).get()).values[0]?.value ?? 0;
    await reconcileRuns(api.handles, 0); // restarts what other tests have lost
    const submissionId = await submitAndLose();
    await onChange(
      'update of engine_asked_at on submissions',
      submissionId,
      `update assets set status = 'failed', error_type = 'cancelled', completed_at = now()
        where submission_id = new.submission_id`,
    );
    const before = await restarts();
    await reconcileRuns(api.handles, 0);
    expect(await runsOfAssets(submissionId)).toEqual([1]);
    expect(await restarts()).toBe(before);
  });

  test('restarts a simulated run however often it was lost, because it never fails', async () => {
    const submissionId = await submitAndLose(api.client(sandboxKey));
    await api.handles.db
      .updateTable('assets')
      .set({ restart_count: restartsMax })
      .where('submission_id', '=', submissionId)
      .execute();
    await reconcileUntil(submissionId, [2]);
  });

  test('ends when it is stopped', async () => {
    const submissionId = await submitAndLose();
    await reconcileRuns(api.handles, 0, AbortSignal.abort());
    expect(await runsOfAssets(submissionId)).toEqual([1]);
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

test('an asset that settles has the time of the database, whatever the clock of the worker shows', async () => {
  const { submissionId, assets } = await submit(client, [textBlob]);
  const asset = {
    workspaceId: workspaceId as WorkspaceId,
    submissionId,
    assetId: assets[0]?.assetId as string,
    attempt: 1,
  };
  const aMonthBehind = { now: () => new Date(Date.now() - 31 * 86_400_000) };
  await settle(asset, 'corrupt_media', { ...api.handles, clock: aMonthBehind });
  const { body } = await client.get(`/submissions/${submissionId}`);
  expect(Date.parse(body.completedAt)).toBeGreaterThanOrEqual(Date.parse(body.createdAt));
});

async function runsOfAssets(submissionId: string): Promise<number[]> {
  const query = api.handles.db.selectFrom('assets').select('run').where('submission_id', '=', submissionId);
  return (await query.orderBy('position').execute()).map(({ run }) => run);
}
