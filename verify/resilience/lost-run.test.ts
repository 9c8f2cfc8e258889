import { sample } from '@assay/testing/media/samples.ts';
import { openScratch } from '@assay/testing/run/scratch.ts';
import { liftedLimits, openTestApi, testEnvironment } from '@assay/testing/service/api.ts';
import { startServerProcess } from '@assay/testing/service/api-process.ts';
import { engineTimes } from '@assay/testing/service/engine-times.ts';
import { holdExaminations } from '@assay/testing/service/hold-examinations.ts';
import { readSubmissionRows } from '@assay/testing/service/submission-rows.ts';
import { submit, untilFinished } from '@assay/testing/service/submissions.ts';
import { describe, expect, onTestFinished, test } from 'vitest';

const scratch = openScratch();
const queues = { WORKER_QUEUES: 'control,video' };
const environment = {
  ...testEnvironment({ ...liftedLimits, ...engineTimes, ...queues, SWEEP_SECONDS: '1', RECONCILE_SECONDS: '1' }),
  TMPDIR: scratch,
};
const api = await openTestApi(environment);
const client = api.client((await api.makeWorkspace()).liveKey);
const { client: engine, connection, namespace } = api.handles.workflows;

const terminateRun = (workflowId: string) => engine.workflow.getHandle(workflowId).terminate();
/** As if the engine had lost its data. */
const deleteRun = (workflowId: string) =>
  connection.workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId } });

describe('a workflow run that the engine loses while its video is being examined', () => {
  test.each([
    ['terminated', terminateRun],
    ['deleted', deleteRun],
  ])(
    'is started again by the workers after it was %s, and its asset completes in the first attempt',
    async (_, lose) => {
      const worker = await startServerProcess('worker', environment);
      onTestFinished(async () => void (await worker.stop('SIGKILL')));
      const { blobPath } = (await client.uploadFile('clip.mp4', sample('clip.mp4'))).body;
      const examinations = holdExaminations(scratch);
      const created = await submit(client, [blobPath]);
      // On a busy machine the engine may already have started a second try.
      await expect.poll(examinations.count, { timeout: 60_000 }).toBeGreaterThan(0);
      await lose(created.workflowId);
      examinations.release();

      await untilFinished(client, created.submissionId, 240);
      const { assets, examinations: unsettled, credits } = await readSubmissionRows(api.handles.db, created);
      expect(assets).toMatchObject([{ status: 'complete', attempt: 1, run: 2 }]);
      expect([unsettled, credits]).toMatchObject([[], [{ attempt: 1 }]]);
    },
    300_000,
  );
});
