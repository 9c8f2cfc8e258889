import { randomUUID } from 'node:crypto';
import { defaultExaminationsAtOnce } from '@assay/contract/limits.ts';
import { openTestApi } from '@assay/testing/service/api.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { expect, onTestFinished, test } from 'vitest';
import type { WorkspaceId } from '#call/caller.ts';
import { beginAssets } from '#modules/submissions/progress-store.ts';
import type { Activity } from '#platform/temporal/as-activity.ts';
import { openTryTools } from './open-try-tools.ts';
import { createExaminationShare } from './share/examination-share.ts';
import { createWorkspaceLimit } from './share/workspace-limit.ts';
import { beginTry, findTries } from './try-store.ts';
import { tryToExamine } from './try-to-examine.ts';

const api = await openTestApi(); // no worker runs
const { db } = api.handles;

/** An asset whose worker died while it examined it. */
async function submitSuspect() {
  const { workspaceId, liveKey } = await api.makeWorkspace();
  const client = api.client(liveKey);
  const { submissionId, assets } = await submit(client, [await uploadText(client)]);
  const asset = {
    workspaceId: workspaceId as WorkspaceId,
    submissionId,
    assetId: assets[0]?.assetId as string,
    attempt: 1,
  };
  await beginAssets(db, asset.workspaceId, submissionId, 'live', [asset]);
  await beginTry(db, asset.workspaceId, asset, { workerId: randomUUID(), isSuspect: false });
  return asset;
}

const activityOf = (taskQueue: string): Activity => ({
  signal: new AbortController().signal,
  taskQueue,
  isCancelled: () => false,
  isStopping: () => false,
  wasCutOff: () => false,
  wasSilent: () => false,
});

test('a suspect does not wait in its slot while another one of its queue is examined, and does not stop other queues', async () => {
  const queues = ['video', 'document'].map((name) => ({ name, atOnceMax: 1 }));
  const limit = createWorkspaceLimit(api.handles, { free: 1, ...defaultExaminationsAtOnce });
  const share = createExaminationShare(queues, limit, 20);
  const limits = { heapMegabytes: 256, secondsMin: 60, toolMemoryMegabytes: 512 };
  const tools = openTryTools({ jail: 'none', examinerJail: 'none' }, limits, 0, 1, share);
  onTestFinished(() => tools.close());
  const release = await tools.suspectPermits.acquire({ key: 'video', perKeyMax: 1 });
  const asset = await submitSuspect();
  const attempt = (queue: string) => tryToExamine(asset, activityOf(queue), api.handles, tools);
  await expect(attempt('video')).rejects.toMatchObject({
    end: { errorType: 'engine_unavailable', isFinal: false, waitSeconds: expect.any(Number) },
  });
  expect(await findTries(db, asset.workspaceId, asset), 'only the one that was lost').toHaveLength(1);
  await attempt('document');
  expect(await findTries(db, asset.workspaceId, asset)).toHaveLength(2);
  release();
});
