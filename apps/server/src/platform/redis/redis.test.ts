import { RateLimiterRedis } from 'rate-limiter-flexible';
import { expect, inject, test } from 'vitest';
import { openRedis } from './redis.ts';

const silentLog = { warn() {}, info() {} } as never;

test('a rate limiter created while commands are queued counts requests without an unhandled error', async () => {
  const redis = openRedis(inject('environment').REDIS_URL as string, 'redis-test:', silentLog);
  await new Promise((resolve) => redis.once('ready', resolve));
  const waiting = redis.set('one', 1); // pipelined: sent at the end of this turn of the event loop
  const limiter = new RateLimiterRedis({ storeClient: redis, points: 5, duration: 60, keyPrefix: `${process.pid}` });
  expect(await limiter.consume('name')).toMatchObject({ consumedPoints: 1 });
  expect(await waiting).toBe('OK');
  redis.disconnect();
});
