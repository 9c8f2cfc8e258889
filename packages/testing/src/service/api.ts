import { randomUUID } from 'node:crypto';
import { buckets, type Tier } from '@assay/contract/limits.ts';
import { runAdmin } from '@assay/server/admin/admin.ts';
import { type Config, readConfig } from '@assay/server/config/config.ts';
import { startApi } from '@assay/server/start/api.ts';
import { startWorker } from '@assay/server/start/worker.ts';
import { afterAll, inject } from 'vitest';
import { createClient } from './client.ts';
import { testFileDatabaseUrl } from './database-of-file.ts';
import { asOwner } from './make-database.ts';

// Makes Temporal workers run workflows in this thread, because starting workflow threads takes longer than most test
// files. Processes that a test starts do not inherit this variable.
process.env.TEMPORAL_DEBUG = '1';

export type TestWorkspace = { workspaceId: string; liveKey: string; sandboxKey: string };

/**
 * Settings for the test instance with the test file's own database. Each call returns a new prefix for Redis keys and
 * for queues, so that tests do not affect each other.
 */
export function testEnvironment(overrides: Record<string, string> = {}): Record<string, string> {
  return {
    ...inject('environment'),
    DATABASE_URL: testFileDatabaseUrl(),
    MIGRATION_DATABASE_URL: asOwner(overrides.DATABASE_URL ?? testFileDatabaseUrl()),
    API_PORT: '0',
    API_METRICS_PORT: '0',
    WORKER_METRICS_PORT: '0',
    LOG_LEVEL: 'fatal',
    DRAIN_SECONDS: '0',
    EXAMINATION_SPARE_PROCESSES: '0', // most tests examine so few files that spare processes would be useless
    REDIS_KEY_PREFIX: `${randomUUID()}:`,
    TEMPORAL_QUEUE_PREFIX: `${randomUUID()}:`,
    ...overrides,
  };
}

/**
 * Starts a complete API in this process, with HTTP and real dependencies. It is stopped after the tests of the file.
 */
export async function openTestApi(overrides: Record<string, string> = {}) {
  const config: Config = readConfig(testEnvironment(overrides));
  const running = await startApi(config);
  afterAll(() => running.stop());
  const admin = (...args: string[]) => runAdmin(args, running.handles, config);
  return {
    ...running,
    config,
    admin,
    makeWorkspace: (tier: Tier = 'enterprise') =>
      admin('workspace', 'create', '--name', `test ${randomUUID()}`, '--tier', tier) as Promise<TestWorkspace>,
    client: (key?: string) => createClient(running.url, key),
  };
}

/**
 * Starts a worker in this process with the database and queues of an API. It is stopped after the tests of the file.
 */
export async function openTestWorker(config: Config): Promise<void> {
  const running = await startWorker(config);
  afterAll(() => running.stop());
}

/** Rate limits and quotas that no test reaches, for tests that are not about them. */
export const liftedLimits = {
  STORAGE_QUOTAS: JSON.stringify({ enterprise: { GiB: null, files: null } }),
  RATE_LIMITS: JSON.stringify(
    Object.fromEntries(
      ['starter', 'pro', 'enterprise'].map((tier) => [
        tier,
        Object.fromEntries(buckets.map((bucket) => [bucket, 1_000_000])),
      ]),
    ),
  ),
};

/** Creates a workspace, with a client for each of its keys. */
export async function openWorkspace(api: Awaited<ReturnType<typeof openTestApi>>, tier?: Tier) {
  const workspace = await api.makeWorkspace(tier);
  return { ...workspace, live: api.client(workspace.liveKey), sandbox: api.client(workspace.sandboxKey) };
}
