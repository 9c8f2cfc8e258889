import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '@assay/server/config/config.ts';
import { findDueRun } from '@assay/server/modules/submissions/runs/run-store.ts';
import { startRun } from '@assay/server/modules/submissions/runs/start-run.ts';
import { startApi } from '@assay/server/start/api.ts';
import { liftedLimits, type TestWorkspace, testEnvironment } from '@assay/testing/service/api.ts';
import { type ProcessOptions, type ServerProcess, startServerProcess } from '@assay/testing/service/api-process.ts';
import { createClient } from '@assay/testing/service/client.ts';
import { engineTimes } from '@assay/testing/service/engine-times.ts';
import { type SubmissionIds, submit } from '@assay/testing/service/submissions.ts';

export type WorkerFixture = Awaited<ReturnType<typeof openWorkerFixture>>;

/** Starts an API in this process with its own queues; worker processes for these queues can be started and killed. */
export async function openWorkerFixture(workspace: TestWorkspace, mode: 'live' | 'sandbox' = 'live') {
  const environment = testEnvironment({
    ...liftedLimits,
    ...engineTimes,
    WORKER_QUEUES: mode === 'live' ? 'control,document' : 'sandbox',
    SWEEP_SECONDS: '3600', // a sweep covers the whole database and would take submissions of another fixture
  });
  const { url, handles, stop } = await startApi(readConfig(environment));
  const client = createClient(url, mode === 'live' ? workspace.liveKey : workspace.sandboxKey);
  const workers: ServerProcess[] = [];

  /**
   * A busy engine may not accept the run within the time limit of a request; as no sweeper runs, the run is started
   * again here.
   */
  async function untilStarted({ submissionId }: SubmissionIds, run = 1): Promise<void> {
    for (;;) {
      const due = await findDueRun(handles.db, workspace.workspaceId as never, submissionId, run);
      if (!due) return;
      await startRun(handles, due).catch(() => sleep(100));
    }
  }

  return {
    client,
    handles,
    untilStarted,
    async submit(blobPath: string): Promise<SubmissionIds> {
      const created = await submit(client, [blobPath]);
      await untilStarted(created);
      return created;
    },
    /** Resolves when the workflow has ended in the engine, not only when its rows are final. */
    untilWorkflowEnds: ({ workflowId }: Pick<SubmissionIds, 'workflowId'>): Promise<void> =>
      handles.workflows.client.workflow.getHandle(workflowId).result(),
    async startWorker(overrides: Record<string, string> = {}, options?: ProcessOptions): Promise<ServerProcess> {
      const worker = await startServerProcess('worker', { ...environment, ...overrides }, options);
      workers.push(worker);
      return worker;
    },
    async close(): Promise<void> {
      await Promise.all(workers.map((worker) => worker.stop('SIGKILL')));
      await stop();
    },
  };
}
