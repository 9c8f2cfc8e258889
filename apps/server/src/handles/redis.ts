import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { Log } from './log.ts';

// Whatever is kept here may vanish, so nobody waits for it: a command fails at once while the
// connection is down, and after a moment when packets vanish. ioredis waits for ever by default.
const commandMillisMax = 300;

export function openRedis(url: string, keyPrefix: string, log: Log): Redis {
  const redis = new Redis(url, {
    keyPrefix,
    connectTimeout: 2000,
    commandTimeout: commandMillisMax,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    enableAutoPipelining: true,
    retryStrategy: (attempt) => Math.min(50 * attempt, 1000),
  });
  // Limiters add a command of their own to the client. Added while other commands wait in a pipeline, it is missing
  // there, and ioredis throws outside of any promise (its issue 1931). So it is added before the first one.
  new RateLimiterRedis({ storeClient: redis, points: 1, duration: 1 });
  let isDown = false;
  redis.on('error', (error) => {
    if (!isDown) log.warn({ err: error }, 'redis is down; limits are counted in this process until it is back');
    isDown = true;
  });
  redis.on('ready', () => {
    if (isDown) log.info('redis is back');
    isDown = false;
  });
  return redis;
}
