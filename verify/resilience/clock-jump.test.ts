import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isExaminer, processesWithOpenFileIn } from '@assay/testing/faults/process-table.ts';
import { sample } from '@assay/testing/media/samples.ts';
import { root } from '@assay/testing/run/root.ts';
import { openScratch } from '@assay/testing/run/scratch.ts';
import { liftedLimits, openTestApi, testEnvironment } from '@assay/testing/service/api.ts';
import { startServerProcess } from '@assay/testing/service/api-process.ts';
import { holdExaminations } from '@assay/testing/service/hold-examinations.ts';
import { openReceiver } from '@assay/testing/service/receiver.ts';
import { readSubmissionRows } from '@assay/testing/service/submission-rows.ts';
import { type SubmissionIds, submit, untilFinished, uploadText } from '@assay/testing/service/submissions.ts';
import { subscribe, untilDeliveries } from '@assay/testing/service/webhooks.ts';
import { afterAll, expect, test } from 'vitest';

/** Longer than an unsubmitted file is kept here (2 h), and than a delivery may be overdue before it counts as lost (1 h). */
const jumpSeconds = 3 * 3600;
const hourMillis = 3_600_000;
/** Several sweeps. */
const sweepsMillis = 3000;

const scratch = openScratch();
const environment = {
  ...testEnvironment({
    ...liftedLimits,
    WORKER_QUEUES: 'control,video,document,webhook',
    SWEEP_SECONDS: '1',
    KEEP_UNSUBMITTED_HOURS: '2',
    WEBHOOK_WAITS_SECONDS: `0${',3600'.repeat(9)}`,
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.1',
  }),
  TMPDIR: scratch,
  CLOCK_OFFSETS_SECONDS: `${jumpSeconds},0,-${jumpSeconds},0`,
};
const api = await openTestApi(environment);
const client = api.client((await api.makeWorkspace()).liveKey);
const { db, workflows } = api.handles;
const worker = await startServerProcess('worker', environment, {
  preload: join(root, 'packages/testing/src/faults/jump-clock.ts'),
});
afterAll(() => worker.stop('SIGKILL'));
const receiver = await openReceiver((_, response) => {
  response.writeHead(receiver.received.length === 1 ? 500 : 200).end();
});
afterAll(() => receiver.close());

/** Resolves when the worker reports the new time. */
async function jumpClock(skewSeconds: number): Promise<void> {
  process.kill(worker.pid, 'SIGUSR2');
  const readSkew = async () => {
    const text = await (await fetch(`${worker.metricsUrl}/metrics`)).text();
    return Math.round(Number(/^assay_clock_skew_seconds (\S+)/m.exec(text)?.[1]) / 60) * 60;
  };
  await expect.poll(readSkew).toBe(skewSeconds);
}

/** Submits a video and calls `happen` while it is being examined. */
async function examineDuring(happen: () => Promise<void>): Promise<SubmissionIds> {
  const { blobPath } = (await client.uploadFile('clip.mp4', sample('clip.mp4'))).body;
  await expect.poll(() => [...processesWithOpenFileIn(scratch, isExaminer)]).toEqual([]); // the previous file's examiner
  const examinations = holdExaminations(scratch);
  const created = await submit(client, [blobPath]);
  await expect.poll(examinations.count).toBe(1);
  await happen();
  examinations.release();
  await untilFinished(client, created.submissionId);
  return created;
}

/** The number of each started try of the workflow's activities. */
async function triesOf({ workflowId }: SubmissionIds): Promise<number[]> {
  const { events } = await workflows.client.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).flatMap(({ activityTaskStartedEventAttributes: started }) => started?.attempt ?? []);
}

const blobIdOf = (blobPath: string) => (blobPath.split('/')[1] as string).slice(0, 36);
const isPurged = async (blobPath: string) => {
  const query = db.selectFrom('blobs').select('emptied_at').where('blob_id', '=', blobIdOf(blobPath));
  return (await query.executeTakeFirstOrThrow()).emptied_at !== null;
};

/** The response statuses of each delivery, oldest delivery first. */
async function attemptsOf(subscription: { subscriptionId: string }, count: number): Promise<number[][]> {
  const deliveries = await untilDeliveries(
    client,
    subscription,
    (all) => all.length === count && all.every(({ attemptCount }) => attemptCount > 0),
  );
  return deliveries
    .map(({ attempts }) => attempts.map((one: { responseStatus: number }) => one.responseStatus))
    .reverse();
}

test('a worker whose clock jumps by hours settles submissions in one try, purges nothing early and sends no webhook early or twice', async () => {
  const subscription = await subscribe(client, receiver.url);
  const kept = await uploadText(client, 'kept.txt');
  const old = await uploadText(client, 'old.txt');
  const refused = await submit(client, [await uploadText(client)]);
  await untilFinished(client, refused.submissionId);
  expect(await attemptsOf(subscription, 1)).toEqual([[500]]); // due again in an hour

  const ahead = await examineDuring(async () => {
    await jumpClock(jumpSeconds);
    const threeHoursAgo = new Date(Date.now() - 3 * hourMillis);
    await db
      .updateTable('blobs')
      .set({ created_at: threeHoursAgo, upload_until: threeHoursAgo, next_look_at: new Date() })
      .where('blob_id', '=', blobIdOf(old))
      .execute();
    // By its own clock, the worker would consider the delivery lost, and start it again.
    await sleep(sweepsMillis);
    const delivery = await db.selectFrom('deliveries').select('look_after_at').executeTakeFirstOrThrow();
    expect(delivery.look_after_at.getTime()).toBeLessThan(Date.now() + jumpSeconds * 1000);
  });
  expect(await attemptsOf(subscription, 2)).toEqual([[500], [200]]);
  expect([await isPurged(old), await isPurged(kept)]).toEqual([false, false]); // the worker deletes nothing while its clock is wrong

  await jumpClock(0);
  await expect.poll(() => isPurged(old)).toBe(true);

  const behind = await examineDuring(() => jumpClock(-jumpSeconds));
  expect(await attemptsOf(subscription, 3)).toEqual([[500], [200], [200]]);
  await jumpClock(0);

  for (const created of [ahead, behind]) {
    expect(new Set(await triesOf(created))).toEqual(new Set([1]));
    const { assets, credits, examinations } = await readSubmissionRows(db, created);
    expect(assets).toMatchObject([{ status: 'complete', attempt: 1, run: 1 }]);
    expect([credits, examinations]).toMatchObject([[{ attempt: 1 }], []]);
  }
  expect(new Set(receiver.received.map(({ event }) => event.id)).size).toBe(3);
  expect(receiver.received).toHaveLength(3);
  expect(worker.child.exitCode).toBeNull();
  await submit(client, [kept]); // refused if the blob was purged
});
