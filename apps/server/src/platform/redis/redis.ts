import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { createOutage } from '../connections/log-failures.ts';
import type { Tls } from '../connections/tls-files.ts';
import type { Log } from '../log.ts';

// Data in Redis is expendable, so nothing waits for it: a command fails at once while the connection is down, and
// after this time when packets are lost. ioredis waits for ever by default.
const commandMillisMax = 300;

export function openRedis(url: string, keyPrefix: string, log: Log, tls?: Tls): Redis {
  const redis = new Redis(url, {
    ...(tls && { tls }), // turns TLS on, whatever the URL says
    keyPrefix,
    connectTimeout: 2000,
    commandTimeout: commandMillisMax,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    enableAutoPipelining: true,
    retryStrategy: (attempt) => Math.min(50 * attempt, 1000),
  });
  // Rate limiters add a custom command to the client. If it is added while commands are queued in a pipeline, the
  // pipeline lacks it and ioredis throws outside of any promise (its issue 1931). So it is added before any command.
  new RateLimiterRedis({ storeClient: redis, points: 1, duration: 1 });
  const outage = createOutage();
  redis.on('error', (error) => {
    const reason = outage.findNewReason(error);
    if (!reason) return;
    log.warn({ err: error, reason }, 'redis is down; rate limits are counted in this process until it is back');
  });
  redis.on('ready', () => {
    if (outage.end()) log.info('redis is back; rate limits are shared again');
  });
  return redis;
}
