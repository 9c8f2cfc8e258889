import { setTimeout as sleep } from 'node:timers/promises';
import { openTunnel } from '@assay/testing/faults/tunnel.ts';
import { sample } from '@assay/testing/media/samples.ts';
import { openScratch } from '@assay/testing/run/scratch.ts';
import { liftedLimits, openTestApi, testEnvironment } from '@assay/testing/service/api.ts';
import { type ServerProcess, startServerProcess } from '@assay/testing/service/api-process.ts';
import { engineTimes, lostAfterSeconds } from '@assay/testing/service/engine-times.ts';
import { holdExaminations } from '@assay/testing/service/hold-examinations.ts';
import { pendingAttemptOf } from '@assay/testing/service/pending-attempt.ts';
import { type SubmissionIds, submit, untilFinished, uploadText } from '@assay/testing/service/submissions.ts';
import { storageSettingsAt, storageUrlOf } from '@assay/testing/storage/blobs.ts';
import { describe, expect, onTestFailed, onTestFinished, test } from 'vitest';

/** The number of dead workers after which an asset fails. */
const cutCount = 3;
const stepMillisMax = 60_000;
const testMillisMax = (4 * cutCount + 2) * stepMillisMax;
const pollOptions = { timeout: stepMillisMax, interval: 50 };

const scratch = openScratch();
const WORKER_QUEUES = 'control,video,document';
const environment = { ...testEnvironment({ ...liftedLimits, ...engineTimes, WORKER_QUEUES }), TMPDIR: scratch };
const api = await openTestApi(environment);
const client = api.client((await api.makeWorkspace()).liveKey);
const { db, workflows } = api.handles;
const video: string = (await client.uploadFile('clip.mp4', sample('clip.mp4'))).body.blobPath;
const text = await uploadText(client);

async function openTunnelTo(target: string) {
  const tunnel = await openTunnel(target);
  onTestFinished(tunnel.close);
  return tunnel;
}

async function startWorker(overrides: Record<string, string>): Promise<ServerProcess> {
  const log: string[] = [];
  const onEntry = (entry: Record<string, unknown>) => void log.push(JSON.stringify(entry));
  const worker = await startServerProcess('worker', { ...environment, ...overrides }, { onEntry });
  onTestFailed(() => console.log(`log of worker ${worker.pid}:\n${log.join('\n')}`));
  onTestFinished(async () => void (await worker.stop('SIGKILL')));
  return worker;
}

/** How each try at the asset ended; null for a running try. */
async function triesAt({ submissionId }: SubmissionIds): Promise<(string | null)[]> {
  const query = db.selectFrom('examination_tries').select('ended_by').where('submission_id', '=', submissionId);
  return (await query.execute()).map(({ ended_by }) => ended_by);
}

/** Resolves when the engine has given up the current try because no heartbeat arrived in time. */
async function untilTimedOut({ workflowId }: SubmissionIds): Promise<void> {
  const ask = () => pendingAttemptOf(workflows.client.workflow, workflowId);
  const before = await ask();
  await expect.poll(ask, pollOptions).toBeGreaterThan(before);
}

async function isExamined({ submissionId }: SubmissionIds): Promise<boolean> {
  const query = db.selectFrom('examinations').select('attempt').where('submission_id', '=', submissionId);
  return (await query.executeTakeFirst()) !== undefined;
}

describe(`a worker that cannot reach the engine for more than ${lostAfterSeconds} s does not count as dead`, () => {
  test(
    `while it examines a file, and the file completes after ${cutCount} outages`,
    async () => {
      const engine = await openTunnelTo(api.config.TEMPORAL_ADDRESS);
      // Two workers, because the free one takes the next try and at first counts the previous try as lost.
      for (let i = 0; i < 2; i++) await startWorker({ TEMPORAL_ADDRESS: engine.address });
      const examinations = holdExaminations(scratch);
      const created = await submit(client, [video]);
      const endings = async () => (await triesAt(created)).filter((ending) => ending !== null);
      let begun = 0;
      for (let cut = 1; cut <= cutCount; cut++) {
        await expect.poll(examinations.count, pollOptions).toBeGreaterThan(begun);
        engine.cut();
        await untilTimedOut(created);
        begun = examinations.count(); // includes a try that timed out before the cut, if the host stood still
        engine.heal();
        await expect.poll(async () => (await endings()).length, pollOptions).toBeGreaterThanOrEqual(cut);
        await expect.poll(async () => [...new Set(await endings())], pollOptions).toEqual(['outage']);
      }
      examinations.release();
      const { assets } = await untilFinished(client, created.submissionId, 240);
      expect(assets).toMatchObject([{ status: 'complete', errorType: null }]);
      expect(await triesAt(created)).toEqual([]);
    },
    testMillisMax,
  );

  test(
    'when it cannot report an examined file, and the file completes without being examined again',
    async () => {
      const storageUrl = storageUrlOf(api.config);
      const { host } = new URL(storageUrl);
      const [engine, storage] = [await openTunnelTo(api.config.TEMPORAL_ADDRESS), await openTunnelTo(host)];
      const throughTunnel = storageSettingsAt(storageUrl.replace(host, storage.address), api.config);
      await startWorker({ TEMPORAL_ADDRESS: engine.address, ...throughTunnel });
      storage.cut(); // the try waits for its file until the engine is unreachable
      const created = await submit(client, [text]);
      await expect.poll(() => triesAt(created), pollOptions).toHaveLength(1);
      engine.cut();
      storage.heal();
      await expect.poll(() => isExamined(created), pollOptions).toBe(true);
      storage.cut(); // no worker can examine it again
      await untilTimedOut(created);
      engine.heal();
      const { assets } = await untilFinished(client, created.submissionId);
      expect(assets).toMatchObject([{ status: 'complete', errorType: null }]);
    },
    testMillisMax,
  );
});

test(
  `a worker that is frozen for more than ${lostAfterSeconds} s while it examines a file counts as dead`,
  async () => {
    const worker = await startWorker({});
    const examinations = holdExaminations(scratch);
    const created = await submit(client, [video]);
    await expect.poll(examinations.count, pollOptions).toBeGreaterThan(0);
    await sleep(lostAfterSeconds * 300); // the engine has received a heartbeat
    worker.child.kill('SIGSTOP');
    await untilTimedOut(created);
    worker.child.kill('SIGCONT');
    await expect.poll(() => triesAt(created), pollOptions).toEqual(expect.arrayContaining(['worker', null]));
    await sleep(lostAfterSeconds * 600); // the frozen worker has learned that it was replaced, and has reacted
    // There is more than one lost try if the host itself stood still.
    const endings = (await triesAt(created)).filter((ending) => ending !== null);
    expect([...new Set(endings)]).toEqual(['worker']);
    examinations.release();
    const { assets } = await untilFinished(client, created.submissionId, 240);
    expect(assets).toMatchObject([{ status: 'complete' }]);
  },
  testMillisMax,
);
