import { setTimeout as sleep } from 'node:timers/promises';
import type { ContainerClient } from '@azure/storage-blob';
import type { WorkflowClient } from '@temporalio/client';
import type { ServerProcess } from '../support/api-process.ts';
import type { Client } from '../support/client.ts';
import { openHold } from '../support/hold.ts';
import { pendingAttemptOf } from '../support/pending-attempt.ts';
import { assetPath, type Created, submit, untilOver, uploadText } from '../support/submissions.ts';

/** The service that the stories happen to: an API, and workers that a story starts itself. */
export type Stage = {
  live: Client;
  sandbox: Client;
  container: ContainerClient;
  engine: WorkflowClient;
  blobUrl: string;
  /** Runs until the end of the story, unless the story ends it. */
  startWorker(overrides?: Record<string, string>): Promise<ServerProcess>;
};

/** The name of a story → how it comes about; gives the id of the run to record, which may still be going on. */
export const stories: Record<string, (stage: Stage) => Promise<string>> = {
  /** One asset completes, another cannot be examined. */
  async analysed({ live, container, startWorker }) {
    const [sound, changed] = [await uploadText(live, 'sound.txt'), await uploadText(live, 'changed.txt')];
    const { workflowId } = await submit(live, [sound, changed]);
    await container.getBlockBlobClient(changed).upload('other', 5);
    await startWorker();
    return workflowId;
  },

  /** Before any worker has seen it. */
  async cancelled({ live, engine, startWorker }) {
    const { workflowId } = await submit(live, [await uploadText(live)]);
    await engine.getHandle(workflowId).cancel();
    await startWorker();
    return workflowId;
  },

  /** While its asset is being examined. */
  async 'cancelled-midway'(stage) {
    const { created } = await beginExamining(stage);
    const { status } = await stage.live.post(`/submissions/${created.submissionId}/cancel`);
    if (status !== 202) throw new Error(`the cancellation was answered ${status}`);
    return created.workflowId;
  },

  async rehearsed({ sandbox, startWorker }) {
    await startWorker();
    return (await submit(sandbox, [await uploadText(sandbox)])).workflowId;
  },

  async delayed({ sandbox, startWorker }) {
    await startWorker();
    return (await submit(sandbox, [await uploadText(sandbox)], {}, '?simulationDelaySeconds=1')).workflowId;
  },

  /** After as many tries as its kind of failure has. */
  failed: async (stage) => (await failByTimeLimit(stage)).workflowId,

  /** The second attempt at an asset that failed: a run of its own. */
  async retried(stage) {
    const failed = await failByTimeLimit(stage);
    await stage.startWorker();
    const { status, body } = await stage.live.post(`${assetPath(failed)}/retry`);
    if (status !== 202) throw new Error(`the retry was answered ${status}`);
    return body.workflowId;
  },

  /** The worker is silent for so long that its try times out, and then does the next one itself. */
  async 'timed-out'(stage) {
    const { storage, worker, created } = await beginExamining(stage);
    process.kill(worker.pid, 'SIGSTOP');
    while ((await pendingAttemptOf(stage.engine, created.workflowId)) < 2) await sleep(100);
    storage.release();
    process.kill(worker.pid, 'SIGCONT');
    return created.workflowId;
  },

  /** The worker is killed in the middle of an examination, and another takes over. */
  async 'dead-worker'(stage) {
    const { worker, created } = await beginExamining(stage);
    await worker.stop('SIGKILL');
    await stage.startWorker();
    return created.workflowId;
  },
};

/** Far larger than what a held connection lets through. */
const longText = 'word '.repeat(200_000);

/** A worker that has the first part of a file and waits for the rest. */
async function beginExamining({ live, blobUrl, startWorker }: Stage) {
  const storage = await openHold(blobUrl, 100_000);
  const worker = await startWorker({ BLOB_URL: storage.url });
  void worker.ended.then(storage.close);
  const created = await submit(live, [await uploadText(live, 'long.txt', longText)]);
  await storage.held;
  return { storage, worker, created };
}

/** The only worker allows no file the time that it takes; it is gone afterwards. */
async function failByTimeLimit({ live, startWorker }: Stage): Promise<Created> {
  const worker = await startWorker({ EXAMINATION_SECONDS_MIN: '0.001' });
  const created = await submit(live, [await uploadText(live, 'long.txt', longText)]);
  const { assets } = await untilOver(live, created.submissionId);
  if (assets[0].errorType !== 'analysis_timeout') throw new Error(`it failed by ${assets[0].errorType}`);
  await worker.stop();
  return created;
}
