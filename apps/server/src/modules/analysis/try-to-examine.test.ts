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
import { type TryEnding, withErrorType } from './try-endings.ts';
import { beginTry, endTry, findTries } from './try-store.ts';
import { tryToExamine } from './try-to-examine.ts';

const api = await openTestApi(); // no worker runs
const { db } = api.handles;

/** An asset with one earlier try, which ended in this way; `null` if its worker died. */
async function submitTried(ending: TryEnding | null) {
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
  const begun = { workerId: randomUUID(), isSuspect: false };
  const tryId = await beginTry(db, asset.workspaceId, asset, begun);
  if (ending) await endTry(db, asset.workspaceId, asset, tryId as string, { ...withErrorType(ending), reason: '' });
  return asset;
}

/** The tools of a worker that examines one file of each kind at a time. */
function openTools() {
  const queues = ['video', 'document'].map((name) => ({ name, atOnceMax: 1 }));
  const limit = createWorkspaceLimit(api.handles, { free: 1, ...defaultExaminationsAtOnce });
  const share = createExaminationShare(queues, limit, 20);
  const tools = openTryTools(
    { jail: 'none', examinerJail: 'none' },
    { heapMegabytes: 256, secondsMin: 60, toolMemoryMegabytes: 512 },
    0,
    1,
    share,
  );
  onTestFinished(() => tools.close());
  return tools;
}

const activityOf = (taskQueue: string): Activity => ({
  signal: new AbortController().signal,
  taskQueue,
  isCancelled: () => false,
  isStopping: () => false,
  wasCutOff: () => false,
  wasSilent: () => false,
});

const waits = {
  end: { errorType: 'engine_unavailable', isFinal: false, isWait: true, waitSeconds: expect.any(Number) },
};

test('a suspect does not wait in its slot while another one of its queue is examined, and does not stop other queues', async () => {
  const tools = openTools();
  const release = await tools.suspectPermits.acquire({ key: 'video', perKeyMax: 1 });
  const asset = await submitTried(null);
  const attempt = (queue: string) => tryToExamine(asset, activityOf(queue), api.handles, tools);
  await expect(attempt('video')).rejects.toMatchObject(waits);
  expect(await findTries(db, asset.workspaceId, asset), 'only the one that was lost').toHaveLength(1);
  await attempt('document');
  expect(await findTries(db, asset.workspaceId, asset)).toHaveLength(2);
  release();
});

test('a file that takes long does not wait in a slot, and counts as no try, until others that take long have ended', async () => {
  const tools = openTools();
  const asset = await submitTried('neighbour');
  const attempt = () => tryToExamine(asset, activityOf('document'), api.handles, tools);
  const lane = tools.share.laneOf('document');
  const leave = lane.enter('another workspace');
  for (let i = 0; i < 3; i++) await expect(attempt()).rejects.toMatchObject(waits);
  expect(await findTries(db, asset.workspaceId, asset), 'only the one that gave way').toHaveLength(1);
  leave?.();
  await attempt();
  expect(await findTries(db, asset.workspaceId, asset)).toHaveLength(2);
  expect(lane.extraSlots.count(), 'it has left the lane').toBe(0);
});

test('a suspect that takes long leaves the lane to others while another suspect is examined', async () => {
  const tools = openTools();
  const asset = await submitTried('neighbour');
  await beginTry(db, asset.workspaceId, asset, { workerId: randomUUID(), isSuspect: false }); // its worker died
  const release = await tools.suspectPermits.acquire({ key: 'document', perKeyMax: 1 });
  const attempt = () => tryToExamine(asset, activityOf('document'), api.handles, tools);
  await expect(attempt()).rejects.toMatchObject(waits);
  expect(tools.share.laneOf('document').extraSlots.count()).toBe(0);
  release();
  await attempt();
  expect(await findTries(db, asset.workspaceId, asset)).toHaveLength(3);
});
