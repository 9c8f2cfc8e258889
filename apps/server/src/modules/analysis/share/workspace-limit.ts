import { randomUUID } from 'node:crypto';
import type { Tier } from '@assay/contract/limits.ts';
import type { Redis } from 'ioredis';
import type { WorkspaceId } from '#call/caller.ts';
import type { Handles } from '#platform/handles.ts';
import { createSemaphore, type Release } from '#platform/mechanisms/semaphore.ts';

/** How many examinations of one kind each workspace may have in progress, by its tier. */
export type ExaminationsAtOnce = Readonly<Record<Tier, number>>;

/** Undefined if the workspace has as many examinations of this queue in progress as its tier allows, on all workers. */
export type WorkspaceLimit = {
  take(workspace: LimitedWorkspace, queue: string): Promise<Release | undefined>;
};

export type LimitedWorkspace = { workspaceId: WorkspaceId; tier: Tier };

/** The place of a dead worker is free again after this time. */
const leaseMillis = 30_000;
const renewalsPerLease = 3;

/**
 * Redis counts what runs on all workers. While it is down, and where its data is lost, each worker counts what it runs
 * itself.
 */
export function createWorkspaceLimit({ redis }: Pick<Handles, 'redis'>, atOnce: ExaminationsAtOnce): WorkspaceLimit {
  const ownPlaces = createSemaphore();
  return {
    async take({ workspaceId, tier }, queue) {
      const placesMax = atOnce[tier];
      const key = `examinations:${queue}:${workspaceId}`;
      const request = { key, perKeyMax: placesMax, signal: AbortSignal.abort() };
      const releaseOwn = await ownPlaces.acquire(request).catch(() => undefined);
      if (!releaseOwn) return undefined;
      const releaseShared = await takeSharedPlace(redis, key, placesMax);
      if (!releaseShared) releaseOwn();
      return (
        releaseShared &&
        (() => {
          releaseShared();
          releaseOwn();
        })
      );
    },
  };
}

// A set of leases: each has the time at which it ends. A renewal always succeeds, because its work is in progress.
const takeScript = `
  local time = redis.call('time')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('zremrangebyscore', KEYS[1], '-inf', now)
  if ARGV[3] ~= '' and redis.call('zcard', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
  redis.call('zadd', KEYS[1], now + ARGV[2], ARGV[1])
  redis.call('pexpire', KEYS[1], ARGV[2])
  return 1`;

async function takeSharedPlace(redis: Redis, key: string, placesMax: number): Promise<Release | undefined> {
  const holder = randomUUID();
  const take = (max: number | '') =>
    redis.eval(takeScript, 1, key, holder, leaseMillis, max).catch(() => 'without Redis');
  if ((await take(placesMax)) === 0) return undefined;
  const renewal = setInterval(() => void take(''), leaseMillis / renewalsPerLease);
  renewal.unref();
  return () => {
    clearInterval(renewal);
    void redis.zrem(key, holder).catch(() => {});
  };
}
