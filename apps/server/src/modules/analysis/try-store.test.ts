import { randomUUID } from 'node:crypto';
import { openTestApi } from '@assay/testing/service/api.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { expect, test } from 'vitest';
import type { WorkspaceId } from '#call/caller.ts';
import { beginAssets } from '#modules/submissions/progress-store.ts';
import { endingOf, failureAfter } from './try-endings.ts';
import { beginTry, endTry, findTries, findTryEndings, type TryEnd } from './try-store.ts';

const api = await openTestApi(); // no worker runs
const { db } = api.handles;

test('endTry keeps only the 20 newest tries that ended in an outage, but every try whose ending counts towards a limit', async () => {
  const { workspaceId, liveKey } = await api.makeWorkspace();
  const client = api.client(liveKey);
  const { submissionId, assets } = await submit(client, [await uploadText(client)]);
  const assetId = assets[0]?.assetId as string;
  const asset = { workspaceId: workspaceId as WorkspaceId, submissionId, assetId, attempt: 1 };
  await beginAssets(db, asset.workspaceId, submissionId, 'live', [asset]);
  const end = async (reason: string, ending: TryEnd['ending']) => {
    const tryId = await beginTry(db, asset.workspaceId, asset, { workerId: randomUUID(), isSuspect: false });
    await endTry(db, asset.workspaceId, asset, tryId as string, { ...endingOf(new Error()), ending, reason });
  };
  for (let i = 0; i < 4; i++) await end(`bug ${i}`, 'bug');
  for (let i = 0; i < 30; i++) await end(`outage ${i}`, 'outage');
  await end('bug 4', 'bug');

  const reasons = (await findTries(db, asset.workspaceId, asset)).map(({ reason }) => reason);
  const outages = reasons.filter((reason) => reason?.startsWith('outage'));
  expect(reasons.filter((reason) => reason?.startsWith('bug'))).toHaveLength(5);
  expect(outages).toHaveLength(20);
  expect(outages[0]).toBe('outage 10');
  expect(outages.at(-1)).toBe('outage 29');
  const { endings, tier } = await findTryEndings(db, asset.workspaceId, asset);
  expect([failureAfter(endings), tier]).toEqual(['internal_error', 'enterprise']);
});
