import type { Config } from '#config/config.ts';
import { storeSettingsOf } from '#config/storage.ts';
import { systemClock } from '#platform/clock.ts';
import { readTlsFiles, type Tls } from '#platform/connections/tls-files.ts';
import type { Handles } from '#platform/handles.ts';
import { openLog } from '#platform/log.ts';
import { openDb } from '#platform/postgres/db.ts';
import { openRealtime } from '#platform/redis/realtime.ts';
import { openRedis } from '#platform/redis/redis.ts';
import { openBlobs } from '#platform/storage/blobs.ts';
import { createEngineSecurity, type EngineSecurity } from '#platform/temporal/security.ts';
import { openWorkflows } from '#platform/temporal/workflows.ts';
import { openMetrics } from './open-metrics.ts';

export function openHandles(config: Config): { handles: Handles; close(): Promise<void> } {
  const log = openLog(config.LOG_LEVEL);
  for (const warning of config.warnings) log.warn(warning);
  const { db, pool } = openDb(config.DATABASE_URL, config.DATABASE_CONNECTIONS_MAX, log);
  const redis = openRedis(config.REDIS_URL, config.REDIS_KEY_PREFIX, log, redisTlsOf(config));
  const workflows = openWorkflows(
    config.TEMPORAL_ADDRESS,
    config.TEMPORAL_NAMESPACE,
    config.TEMPORAL_QUEUE_PREFIX,
    { lostAfterSeconds: config.WORKER_LOST_AFTER_SECONDS, retrySecondsMax: config.RETRY_SECONDS_MAX },
    engineSecurityOf(config),
  );
  const blobs = openBlobs(...storeSettingsOf(config));
  const realtime = openRealtime(redis, config.REDIS_KEY_PREFIX);
  const handles = { db, redis, realtime, blobs, workflows, log, clock: systemClock, metrics: openMetrics(pool) };
  const close = async () => {
    realtime.close();
    redis.disconnect();
    await Promise.all([db.destroy(), workflows.connection.close()]);
  };
  return { handles, close };
}

function redisTlsOf(config: Config): Tls | undefined {
  if (!config.REDIS_URL.startsWith('rediss:')) return undefined;
  return readTlsFiles({
    caFile: config.REDIS_CA_FILE,
    certFile: config.REDIS_CERT_FILE,
    keyFile: config.REDIS_KEY_FILE,
  });
}

/** For the client and for the workers. */
export function engineSecurityOf(config: Config): EngineSecurity {
  return createEngineSecurity({
    usesTls: config.TEMPORAL_TLS,
    caFile: config.TEMPORAL_TLS_CA_FILE,
    certFile: config.TEMPORAL_TLS_CERT_FILE,
    keyFile: config.TEMPORAL_TLS_KEY_FILE,
    serverName: config.TEMPORAL_TLS_SERVER_NAME,
    apiKey: config.TEMPORAL_API_KEY,
  });
}
