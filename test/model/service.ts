import { randomUUID } from 'node:crypto';
import { buckets } from '@assay/contract/limits.ts';
import { runAdmin } from '@assay/server/access/admin.ts';
import type { WorkspaceId } from '@assay/server/access/caller.ts';
import { startApi } from '@assay/server/assemble.ts';
import { startWorker } from '@assay/server/assemble-worker.ts';
import { readConfig } from '@assay/server/config.ts';
import { openWorkers } from '@assay/server/handles/workers.ts';
import { lookAfterBlobs } from '@assay/server/submissions/look-after-blobs.ts';
import { findDueRun } from '@assay/server/submissions/run-store.ts';
import { startRun } from '@assay/server/submissions/start-run.ts';
import { createClient } from '../support/client.ts';
import { openReceiver, type Received, type Receiver } from '../support/receiver.ts';
import { assetPath, submit, untilOver, uploadText } from '../support/submissions.ts';
import { subscribe, subscriptionPath } from '../support/webhooks.ts';
import { contents } from './files.ts';

type Workspace = { workspaceId: string; liveKey: string; sandboxKey: string };

/** Things of another workspace: nobody here may see or change them. */
export type Foreign = {
  blobPath: string;
  submissionId: string;
  assetId: string;
  /** An issue of an asset that is complete. */
  examined: { submissionId: string; assetId: string; issueId: string };
  subscriptionId: string;
};

export type Service = {
  servedUrl: string;
  idleUrl: string;
  /** It takes every webhook of every sequence; the path says whose subscription it is. */
  receiver: Receiver;
  receivedBy(workspaceId: string): Received[];
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
  const idleConfig = readConfig({ ...settings, TEMPORAL_QUEUE_PREFIX: `${randomUUID()}:` });
  const idle = await startApi(idleConfig);
  const worker = await startWorker(config);
  const receiver = await openReceiver();
  // Otherwise the engine would keep every delivery that waits, of 10,000 sequences. Done with, it is pending all the same.
  const drain = await openWorkers(
    config.TEMPORAL_ADDRESS,
    config.TEMPORAL_NAMESPACE,
    [
      {
        name: `${idleConfig.TEMPORAL_QUEUE_PREFIX}webhook`,
        activities: { deliver: async () => {} },
        hasWorkflows: false,
        atOnceMax: 20,
      },
    ],
    idle.handles.log,
  );
  const isOf = (workspaceId: string) => (one: Received) => one.path.startsWith(`/${workspaceId}/`);
  let last: Promise<unknown> = Promise.resolve();
  return {
    servedUrl: served.url,
    idleUrl: idle.url,
    receiver,
    receivedBy: (workspaceId) => receiver.received.filter(isOf(workspaceId)),
    makeWorkspace: () =>
      runAdmin(
        ['workspace', 'create', '--name', 'model', '--tier', 'enterprise'],
        idle.handles,
        config.KEY_PEPPER,
      ) as Promise<Workspace>,
    async clearAway() {
      await lookAfterBlobs(idle.handles, keep);
    },
    async sweep(workspaceId, submissionId, run) {
      const due = await findDueRun(served.handles.db, workspaceId as WorkspaceId, submissionId, run);
      if (due) await startRun(served.handles, due);
    },
    async forget(workspaceId, waitingRuns) {
      const { workflows, blobs } = idle.handles;
      const ends = waitingRuns.map((id) => workflows.client.workflow.getHandle(id).terminate());
      // A run that the engine never took is not there. What stays is untidy and no failure.
      await Promise.allSettled([blobs.removeAll(blobs.home, `${workspaceId}/`), ...ends]);
      const others = receiver.received.filter((one) => !isOf(workspaceId)(one));
      receiver.received.splice(0, receiver.received.length, ...others);
    },
    alone(work) {
      const result = last.then(work);
      last = result.catch(() => {});
      return result;
    },
    async stop() {
      await Promise.all([worker.stop(), drain.stop()]);
      await Promise.all([served.stop(), idle.stop()]);
      receiver.close();
    },
  };
}

/** A file, a submission that waits, one with issues, and a subscription, in a workspace of their own. */
export async function makeForeign(service: Service) {
  const { workspaceId, liveKey } = await service.makeWorkspace();
  const client = createClient(service.idleUrl, liveKey);
  const blobPath = await uploadText(client);
  const { submissionId, workflowId, assets } = await submit(client, [blobPath]);
  const served = createClient(service.servedUrl, liveKey);
  const flawed = await served.uploadFile('scan.pdf', contents['scripted pdf'].bytes());
  const complete = await submit(served, [flawed.body.blobPath]);
  await untilOver(served, complete.submissionId);
  const { body } = await client.get(`${assetPath(complete)}/issues`);
  const examined = { submissionId: complete.submissionId, assetId: body.assetId, issueId: body.issues[0].id };
  const { subscriptionId } = await subscribe(client, `${service.receiver.url}/${workspaceId}/1`);
  const foreign: Foreign = { blobPath, submissionId, assetId: assets[0]?.assetId as string, examined, subscriptionId };
  const paths = [
    `/submissions/${submissionId}`,
    `${assetPath(complete)}/issues`,
    subscriptionPath(foreign),
    `${subscriptionPath(foreign)}/deliveries`,
  ];
  return {
    foreign,
    read: async () => Promise.all(paths.map(async (path) => (await client.get(path)).body)),
    leave: () => service.forget(workspaceId, [workflowId]),
  };
}
