import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '@assay/server/config/config.ts';
import type { ServerProcess } from '@assay/testing/service/api-process.ts';
import type { Client } from '@assay/testing/service/client.ts';
import { openHoldingProxy } from '@assay/testing/service/hold.ts';
import { pendingAttemptOf } from '@assay/testing/service/pending-attempt.ts';
import {
  assetPath,
  type SubmissionIds,
  submit,
  untilFinished,
  uploadText,
} from '@assay/testing/service/submissions.ts';
import { storageSettingsAt, storageUrlOf } from '@assay/testing/storage/blobs.ts';
import type { ContainerClient } from '@azure/storage-blob';
import type { WorkflowClient } from '@temporalio/client';

/** The API that runs use, and a function with which each run starts its own workers. */
export type RunContext = {
  live: Client;
  sandbox: Client;
  container: ContainerClient;
  engine: WorkflowClient;
  config: Config;
  /** Starts a worker, which is stopped at the end of the run unless the run stops it itself. */
  startWorker(overrides?: Record<string, string>): Promise<ServerProcess>;
};

/** Functions that start each run and return the id of the run to record, which may still be in progress. */
export const workflowRuns: Record<string, (context: RunContext) => Promise<string>> = {
  /** One asset completes, another cannot be examined. */
  async analysed({ live, container, startWorker }) {
    const [intact, changed] = [await uploadText(live, 'intact.txt'), await uploadText(live, 'changed.txt')];
    const { workflowId } = await submit(live, [intact, changed]);
    await container.getBlockBlobClient(changed).upload('other', 5);
    await startWorker();
    return workflowId;
  },

  /** Cancelled before any worker has seen the run. */
  async cancelled({ live, engine, startWorker }) {
    const { workflowId } = await submit(live, [await uploadText(live)]);
    await engine.getHandle(workflowId).cancel();
    await startWorker();
    return workflowId;
  },

  /** Cancelled while its asset is being examined. */
  async 'cancelled-midway'(context) {
    const { created } = await beginExamining(context);
    const { status } = await context.live.post(`/submissions/${created.submissionId}/cancel`);
    if (status !== 202) throw new Error(`the cancellation was answered with ${status}`);
    return created.workflowId;
  },

  async simulated({ sandbox, startWorker }) {
    await startWorker();
    return (await submit(sandbox, [await uploadText(sandbox)])).workflowId;
  },

  async delayed({ sandbox, startWorker }) {
    await startWorker();
    return (await submit(sandbox, [await uploadText(sandbox)], {}, '?simulationDelaySeconds=1')).workflowId;
  },

  /** Failed after all retries that are allowed for this kind of failure. */
  failed: async (context) => (await failByTimeLimit(context)).workflowId,

  /** The second attempt at a failed asset, which is a separate run. */
  async retried(context) {
    const failed = await failByTimeLimit(context);
    await context.startWorker();
    const { status, body } = await context.live.post(`${assetPath(failed)}/retry`);
    if (status !== 202) throw new Error(`the retry was answered with ${status}`);
    return body.workflowId;
  },

  /** The worker sends no heartbeat until its try times out, and then makes the next try itself. */
  async 'timed-out'(context) {
    const { storage, worker, created } = await beginExamining(context);
    process.kill(worker.pid, 'SIGSTOP');
    while ((await pendingAttemptOf(context.engine, created.workflowId)) < 2) await sleep(100);
    storage.release();
    process.kill(worker.pid, 'SIGCONT');
    return created.workflowId;
  },

  /** The worker is killed during an examination, and another worker takes over. */
  async 'dead-worker'(context) {
    const { worker, created } = await beginExamining(context);
    await worker.stop('SIGKILL');
    await context.startWorker();
    return created.workflowId;
  },
};

/** Far longer than what `openHoldingProxy` lets through. */
const longText = 'word '.repeat(200_000);

/** Starts a worker that has read the first part of a file and waits for the rest. */
async function beginExamining({ live, config, startWorker }: RunContext) {
  const storage = await openHoldingProxy(storageUrlOf(config), 100_000);
  const worker = await startWorker(storageSettingsAt(storage.url, config));
  void worker.ended.then(storage.close);
  const created = await submit(live, [await uploadText(live, 'long.txt', longText)]);
  await storage.held;
  return { storage, worker, created };
}

/** Fails a submission with a worker whose time limit is too short for any file, then stops the worker. */
async function failByTimeLimit({ live, startWorker }: RunContext): Promise<SubmissionIds> {
  const worker = await startWorker({ EXAMINATION_SECONDS_MIN: '0.001' });
  const created = await submit(live, [await uploadText(live, 'long.txt', longText)]);
  const { assets } = await untilFinished(live, created.submissionId);
  if (assets[0].errorType !== 'analysis_timeout') throw new Error(`it failed with ${assets[0].errorType}`);
  await worker.stop();
  return created;
}
