import { liftedLimits, openTestApi, testEnvironment } from '@assay/testing/service/api.ts';
import { startServerProcess } from '@assay/testing/service/api-process.ts';
import { openReceiver } from '@assay/testing/service/receiver.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { fire, subscribe } from '@assay/testing/service/webhooks.ts';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { sweepDeliveries } from './sweep-deliveries.ts';

const settings = { ...liftedLimits, WORKER_QUEUES: 'webhook', SWEEP_SECONDS: '3600' };
const api = await openTestApi(settings);

/** One delivery per asset and subscription. Nothing sends them: no worker runs yet. */
async function fireAtReceiver(assetCount: number, subscriptionCount: number) {
  const { sandboxKey, workspaceId } = await api.makeWorkspace();
  const sandbox = api.client(sandboxKey);
  const receiver = await openReceiver();
  onTestFinished(() => receiver.close());
  const [subscription] = await Promise.all(
    Array.from({ length: subscriptionCount }, () => subscribe(sandbox, receiver.url)),
  );
  const uploads = Array.from({ length: assetCount }, () => uploadText(sandbox));
  const { submissionId } = await submit(sandbox, await Promise.all(uploads));
  expect(await fire(sandbox, submissionId)).toBe(assetCount * subscriptionCount);
  return { sandbox, receiver, subscription, workspaceId };
}

/** Simulates deliveries that were never attempted, because no permit for their receiver was free for two hours. */
const makeOverdue = (workspaceId: string) =>
  sql`
    update deliveries set next_attempt_at = now() - interval '2 hours', look_after_at = now() - interval '1 hour'
    where workspace_id = ${workspaceId}`.execute(api.handles.db);

async function countOverdue(workspaceId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from deliveries
    where workspace_id = ${workspaceId} and status = 'pending' and look_after_at <= now()`.execute(api.handles.db);
  return rows[0]?.count ?? 0;
}

test('a sweep starts the replay of one workspace even if another workspace has a full batch of overdue deliveries', async () => {
  const slow = await fireAtReceiver(10, 20);
  const other = await fireAtReceiver(1, 1);
  await makeOverdue(slow.workspaceId);
  await sql`
    update deliveries set status = 'failed', next_attempt_at = null, completed_at = now()
    where workspace_id = ${other.workspaceId}`.execute(api.handles.db);
  const replay = await other.sandbox.post(`/webhooks/subscriptions/${other.subscription?.subscriptionId}/replay`, {
    since: new Date(Date.now() - 3_600_000).toISOString(),
  });
  expect(replay.body).toEqual({ enqueued: 1 });

  const minute = AbortSignal.timeout(60_000);
  await sweepDeliveries(api.handles, minute);
  expect(minute.aborted).toBe(false);
  expect(await countOverdue(slow.workspaceId)).toBe(0);
  expect(await countOverdue(other.workspaceId)).toBe(0);

  const environment = testEnvironment({ ...settings, TEMPORAL_QUEUE_PREFIX: api.config.TEMPORAL_QUEUE_PREFIX });
  const worker = await startServerProcess('worker', environment);
  onTestFinished(async () => void (await worker.stop('SIGKILL')));
  await other.receiver.until(1, undefined, 60);
}, 180_000);

test('a sweep that is aborted leaves overdue deliveries to the next sweep', async () => {
  const { workspaceId } = await fireAtReceiver(1, 1);
  await makeOverdue(workspaceId);
  await sweepDeliveries(api.handles, AbortSignal.abort());
  expect(await countOverdue(workspaceId)).toBe(1);
});
