import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { defaultExaminationsAtOnce } from '@assay/contract/limits.ts';
import { openTestApi } from '@assay/testing/service/api.ts';
import { expect, test } from 'vitest';
import { createWorkspaceLimit } from './workspace-limit.ts';

const api = await openTestApi();
if (api.handles.redis.status !== 'ready') await once(api.handles.redis, 'ready');
const limits = { free: 1, ...defaultExaminationsAtOnce, starter: 2 };
const openLimit = (redis = api.handles.redis) => createWorkspaceLimit({ redis }, limits);
const workspaceOf = (tier: 'starter' | 'pro') => ({ workspaceId: randomUUID() as never, tier });

test('workers together run as much of a workspace as its tier allows, of each kind', async () => {
  const [one, other] = [openLimit(), openLimit()];
  const [starter, pro] = [workspaceOf('starter'), workspaceOf('pro')];
  const leave = await one.take(starter, 'video');
  expect(await other.take(starter, 'video')).toBeDefined();
  expect(await one.take(starter, 'video')).toBeUndefined();
  expect(await other.take(starter, 'video')).toBeUndefined();
  expect(await other.take(starter, 'audio'), 'another kind').toBeDefined();
  for (let i = 0; i < 5; i++) expect(await one.take(pro, 'video'), 'another workspace').toBeDefined();
  leave?.();
  expect(await other.take(starter, 'video')).toBeDefined();
});

test('without Redis, each worker counts what it runs itself', async () => {
  const redis = api.handles.redis.duplicate({ lazyConnect: true }); // never connected
  const limit = openLimit(redis);
  const starter = workspaceOf('starter');
  expect(await limit.take(starter, 'video')).toBeDefined();
  const leave = await limit.take(starter, 'video');
  expect(await limit.take(starter, 'video')).toBeUndefined();
  leave?.();
  expect(await limit.take(starter, 'video')).toBeDefined();
  redis.disconnect();
});

test('the place of a worker that died is free again after its lease', async () => {
  const starter = workspaceOf('starter');
  const key = `examinations:video:${starter.workspaceId}`;
  await api.handles.redis.zadd(key, Date.now() - 1000, 'ended', Date.now() + 60_000, 'held');
  const limit = openLimit();
  expect(await limit.take(starter, 'video')).toBeDefined();
  expect(await limit.take(starter, 'video')).toBeUndefined();
});
