import { randomUUID } from 'node:crypto';
import { buckets } from '@assay/contract/limits.ts';
import { runAdmin } from '@assay/server/admin/admin.ts';
import type { WorkspaceId } from '@assay/server/call/caller.ts';
import { readConfig } from '@assay/server/config/config.ts';
import { findDueRun } from '@assay/server/modules/submissions/runs/run-store.ts';
import { startRun } from '@assay/server/modules/submissions/runs/start-run.ts';
import { purgeMedia } from '@assay/server/modules/uploads/retention/purge-media.ts';
import { openWorkers } from '@assay/server/platform/temporal/workers.ts';
import { startApi } from '@assay/server/start/api.ts';
import { startWorker } from '@assay/server/start/worker.ts';
import { createClient } from '@assay/testing/service/client.ts';
import { openReceiver, type ReceivedRequest, type Receiver } from '@assay/testing/service/receiver.ts';
import { assetPath, submit, untilFinished, uploadText } from '@assay/testing/service/submissions.ts';
import { subscribe, subscriptionPath } from '@assay/testing/service/webhooks.ts';
import { contents } from './files.ts';

type Workspace = { workspaceId: string; liveKey: string; sandboxKey: string };

/** Resources of another workspace, which no sequence may see or change. */
export type ForeignResources = {
  blobPath: string;
  submissionId: string;
  assetId: string;
  /** An issue of a complete asset. */
  examined: { submissionId: string; assetId: string; issueId: string };
  subscriptionId: string;
};

export type Service = {
  areEqualBytesSame: boolean;
  servedUrl: string;
  idleUrl: string;
  /** Accepts the webhooks of all sequences; the path identifies the subscription. */
  receiver: Receiver;
  receivedBy(workspaceId: string): ReceivedRequest[];
  makeWorkspace(): Promise<Workspace>;
  /** Removes the files of deleted submissions in all workspaces. */
  purgeMedia(): Promise<void>;
  /** Starts only this run, as the sweeper does if the engine did not accept the run in time. */
  sweep(workspaceId: string, submissionId: string, run: number): Promise<void>;
  /** Removes what a sequence leaves in storage, in the engine and in the receiver. */
  forget(workspaceId: string, waitingRuns: string[]): Promise<void>;
  /** Runs one at a time, because another test covers the use of a file while it is being removed. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>;
  stop(): Promise<void>;
};

const retentionSettings = { unsubmittedHours: 48, mediaDays: 30, resultsDays: 365 };

/** Two APIs on one database: a worker polls the queues of one, no worker those of the other. */
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
    // The sweeper would give waiting runs to the worker, and files are removed only by a command.
    SWEEP_SECONDS: '1000000',
  };
  const config = readConfig({ ...settings, TEMPORAL_QUEUE_PREFIX: `${randomUUID()}:` });
  const served = await startApi(config);
  const idleConfig = readConfig({ ...settings, TEMPORAL_QUEUE_PREFIX: `${randomUUID()}:` });
  const idle = await startApi(idleConfig);
  const worker = await startWorker(config);
  const receiver = await openReceiver();
  // Without this worker, the engine would keep every pending delivery of 10,000 sequences. For the service, a delivery
  // that it takes is still pending.
  const drainingWorker = await openWorkers(
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
  const isOf = (workspaceId: string) => (one: ReceivedRequest) => one.path.startsWith(`/${workspaceId}/`);
  let last: Promise<unknown> = Promise.resolve();
  return {
    areEqualBytesSame: config.OBJECT_STORE === 's3',
    servedUrl: served.url,
    idleUrl: idle.url,
    receiver,
    receivedBy: (workspaceId) => receiver.received.filter(isOf(workspaceId)),
    makeWorkspace: () =>
      runAdmin(
        ['workspace', 'create', '--name', 'model', '--tier', 'enterprise'],
        idle.handles,
        config,
      ) as Promise<Workspace>,
    async purgeMedia() {
      await purgeMedia(idle.handles, retentionSettings);
    },
    async sweep(workspaceId, submissionId, run) {
      const due = await findDueRun(served.handles.db, workspaceId as WorkspaceId, submissionId, run);
      if (due) await startRun(served.handles, due);
    },
    async forget(workspaceId, waitingRuns) {
      const { workflows, blobs } = idle.handles;
      const ends = waitingRuns.map((id) => workflows.client.workflow.getHandle(id).terminate());
      // Errors are ignored: a run that the engine never accepted does not exist, and leftovers do no harm.
      await Promise.allSettled([blobs.removeAll(blobs.home, `${workspaceId}/`), ...ends]);
      const others = receiver.received.filter((one) => !isOf(workspaceId)(one));
      receiver.received.splice(0, receiver.received.length, ...others);
    },
    exclusively(work) {
      const result = last.then(work);
      last = result.catch(() => {});
      return result;
    },
    async stop() {
      await Promise.all([worker.stop(), drainingWorker.stop()]);
      await Promise.all([served.stop(), idle.stop()]);
      receiver.close();
    },
  };
}

/** A file, a waiting submission, one with issues, and a subscription, in a separate workspace. */
export async function makeForeignResources(service: Service) {
  const { workspaceId, liveKey } = await service.makeWorkspace();
  const client = createClient(service.idleUrl, liveKey);
  const blobPath = await uploadText(client);
  const { submissionId, workflowId, assets } = await submit(client, [blobPath]);
  const served = createClient(service.servedUrl, liveKey);
  const flawed = await served.uploadFile('scan.pdf', contents['scripted pdf'].bytes());
  const complete = await submit(served, [flawed.body.blobPath]);
  await untilFinished(served, complete.submissionId);
  const { body } = await client.get(`${assetPath(complete)}/issues`);
  const examined = { submissionId: complete.submissionId, assetId: body.assetId, issueId: body.issues[0].id };
  const { subscriptionId } = await subscribe(client, `${service.receiver.url}/${workspaceId}/1`);
  const foreign: ForeignResources = {
    blobPath,
    submissionId,
    assetId: assets[0]?.assetId as string,
    examined,
    subscriptionId,
  };
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
