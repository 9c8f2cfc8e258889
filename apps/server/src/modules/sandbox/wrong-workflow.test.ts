import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import { assetPath, submit, untilFinished, uploadText } from '@assay/testing/service/submissions.ts';
import { expect, test } from 'vitest';
import { startWorker } from '#start/worker.ts';

// Somebody with access to Temporal can start any workflow with any ids.
const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,sandbox,document' });
const { workspaceId, liveKey, sandboxKey } = await api.makeWorkspace();
const { workflows } = api.handles;

async function runAs(workflow: string, queue: string, { submissionId, assets }: Awaited<ReturnType<typeof submit>>) {
  const run = {
    ...{ workspaceId, submissionId, run: 1, delaySeconds: 0, times: workflows.times },
    assets: assets.map(({ assetId }) => ({ assetId, attempt: 1, category: 'document' })),
  };
  const handle = await workflows.client.workflow.start(workflow, {
    workflowId: `forged-${submissionId}`,
    taskQueue: workflows.queuePrefix + queue,
    args: [run],
  });
  return () => handle.result();
}

test('the workflow of the other mode neither completes nor fails a submission', async () => {
  const [live, sandbox] = [api.client(liveKey), api.client(sandboxKey)];
  const real = await submit(live, [await uploadText(live)]);
  const simulated = await submit(sandbox, [await uploadText(sandbox)], {}, '?simulationDelaySeconds=10');
  const forged = [
    await runAs('rehearseSubmission', 'sandbox', real),
    await runAs('analyseSubmission', 'control', simulated),
  ];
  const worker = await startWorker(api.config);
  try {
    await Promise.all(forged.map((end) => end()));
    expect((await untilFinished(live, real.submissionId)).status).toBe('complete');
    expect((await live.get(assetPath(real))).body.checks, 'it was examined').not.toEqual([]);
    expect((await untilFinished(sandbox, simulated.submissionId)).status).toBe('complete');
    expect((await sandbox.get(assetPath(simulated))).body).toMatchObject({ checks: [], issueCount: null });
    expect((await live.get('/me')).body.credits.used).toBe(1);
  } finally {
    await worker.stop();
  }
});
