import { randomUUID } from 'node:crypto';
import { buckets } from '@assay/contract/limits.ts';
import { runAdmin } from '@assay/server/access/admin.ts';
import type { WorkspaceId } from '@assay/server/access/caller.ts';
import { startApi } from '@assay/server/assemble.ts';
import { startWorker } from '@assay/server/assemble-worker.ts';
import { readConfig } from '@assay/server/config.ts';
import { lookAfterBlobs } from '@assay/server/submissions/look-after-blobs.ts';
import { findDueRun } from '@assay/server/submissions/run-store.ts';
import { startRun } from '@assay/server/submissions/start-run.ts';
import { createClient } from '../support/client.ts';
import { submit, uploadText } from '../support/submissions.ts';

type Workspace = { workspaceId: string; liveKey: string; sandboxKey: string };

/** Things of another workspace: nobody here may see or change them. */
export type Foreign = { blobPath: string; submissionId: string; assetId: string };

export type Service = {
  servedUrl: string;
  idleUrl: string;
  makeWorkspace(): Promise<Workspace>;
  /** Clears away the files of deleted submissions, of all workspaces. */
  clearAway(): Promise<void>;
  /** What the sweeper does for a run that the engine did not take in time, and for no other. */
  sweep(workspaceId: string, submissionId: string, run: number): Promise<void>;
  /** Leaves nothing behind that others who use the same parts would have to carry. */
  forget(workspaceId: string, waitingRuns: string[]): Promise<void>;
  /** One such work at a time: a file that is taken up while it goes is another test's matter. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  stop(): Promise<void>;
};

const keep = { unsubmittedHours: 48, mediaDays: 30, resultsDays: 365 };

/** Two APIs on one database: beside one there is a worker, the queues of the other nobody serves. */
export async function openService(environment: Record<string, string>): Promise<Service> {
  const limits = Object.fromEntries(buckets.map((bucket) => [bucket, 1_000_000_000]));
  const settings = {
    ...environment,
    API_PORT: '0',
    API_METRICS_PORT: '0',
    WORKER_METRICS_PORT: '0',
    DRAIN_SECONDS: '0',
    LOG_LEVEL: 'fatal',
    REDIS_KEY_PREFIX: `${randomUUID()}:`,
    RATE_LIMITS: JSON.stringify({ starter: limits, enterprise: limits }),
    // The sweeper would hand to the worker what is to wait, and files go when a command says so.
    SWEEP_SECONDS: '1000000',
  };
  const config = readConfig({ ...settings, TEMPORAL_QUEUE_PREFIX: `${randomUUID()}:` });
  const served = await startApi(config);
  const idle = await startApi(readConfig({ ...settings, TEMPORAL_QUEUE_PREFIX: `${randomUUID()}:` }));
  const worker = await startWorker(config);
  let last: Promise<unknown> = Promise.resolve();
  return {
    servedUrl: served.url,
    idleUrl: idle.url,
    makeWorkspace: () =>
      runAdmin(
        ['workspace', 'create', '--name', 'model', '--tier', 'enterprise'],
        idle.handles,
        config.KEY_PEPPER,
      ) as Promise<Workspace>,
    clearAway: () => lookAfterBlobs(idle.handles, keep),
    async sweep(workspaceId, submissionId, run) {
      const due = await findDueRun(served.handles.db, workspaceId as WorkspaceId, submissionId, run);
      if (due) await startRun(served.handles, due);
    },
    async forget(workspaceId, waitingRuns) {
      const { workflows, blobs } = idle.handles;
      const ends = waitingRuns.map((id) => workflows.client.workflow.getHandle(id).terminate());
      // A run that the engine never took is not there. What stays is untidy and no failure.
      await Promise.allSettled([blobs.removeAll(`${workspaceId}/`), ...ends]);
    },
    alone(work) {
      const result = last.then(work);
      last = result.catch(() => {});
      return result;
    },
    async stop() {
      await worker.stop();
      await Promise.all([served.stop(), idle.stop()]);
    },
  };
}

/** A file and a submission that waits, in a workspace of their own. */
export async function makeForeign(service: Service) {
  const { workspaceId, liveKey } = await service.makeWorkspace();
  const client = createClient(service.idleUrl, liveKey);
  const blobPath = await uploadText(client);
  const created = await submit(client, [blobPath]);
  const { submissionId, workflowId, assets } = created;
  const foreign: Foreign = { blobPath, submissionId, assetId: assets[0]?.assetId as string };
  return {
    foreign,
    read: async () => (await client.get(`/submissions/${submissionId}`)).body,
    leave: () => service.forget(workspaceId, [workflowId]),
  };
}
