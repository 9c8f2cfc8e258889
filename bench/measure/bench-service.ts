import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { buckets } from '@assay/contract/limits.ts';
import { administer } from '@assay/server/admin/admin.ts';
import { readConfig } from '@assay/server/config/config.ts';
import type { Part } from '@assay/stack/part.ts';
import { temporal } from '@assay/stack/parts/temporal.ts';
import { bundleCode } from '@assay/testing/run/bundle-code.ts';
import { startServerProcess } from '@assay/testing/service/api-process.ts';
import { makeDatabase } from '@assay/testing/service/make-database.ts';
import { type BareScript, startBareProcess } from './bare-process.ts';
import { openBenchStack } from './bench-stack.ts';

const liftedBuckets = Object.fromEntries(buckets.map((bucket) => [bucket, 1e9]));
const liftedLimits = JSON.stringify({ enterprise: liftedBuckets, starter: liftedBuckets }); // sandbox keys: `starter`

/**
 * Opens what every bench needs: the given parts, an empty database, a workspace without limits, and functions that
 * start processes. `closers` stops everything in reverse order.
 */
export async function openBenchService(parts: Part[], overrides: Record<string, string> = {}) {
  const closers = new AsyncDisposableStack();
  try {
    const stack = await openBenchStack(parts);
    closers.defer(stack.close);
    if (parts.includes(temporal)) bundleCode();
    const environment = {
      ...stack.environment,
      DATABASE_URL: await makeDatabase(stack.environment.DATABASE_URL as string, 'assay_bench'),
      API_PORT: '0',
      API_METRICS_PORT: '0',
      WORKER_METRICS_PORT: '0',
      REDIS_KEY_PREFIX: `${randomUUID()}:`,
      TEMPORAL_QUEUE_PREFIX: `${randomUUID()}:`,
      RATE_LIMITS: liftedLimits,
      STORAGE_QUOTAS: JSON.stringify({ enterprise: { GiB: null, files: null } }),
      ...overrides,
    };
    const config = readConfig(environment);
    const workspace = await administer(config, 'workspace create --name bench --tier enterprise'.split(' '));
    return {
      stack,
      closers,
      config,
      workspace: workspace as { workspaceId: string; liveKey: string; sandboxKey: string },
      async start(role: 'api' | 'worker') {
        const server = await startServerProcess(role, environment);
        closers.defer(async () => void (await server.stop()));
        if (server.child.stdout) printErrors(server.child.stdout);
        return server;
      },
      async startBare(script: BareScript, more: Record<string, string> = {}) {
        const connectionsMax = String(config.DATABASE_CONNECTIONS_MAX);
        const bare = await startBareProcess(script, {
          ...environment,
          DATABASE_CONNECTIONS_MAX: connectionsMax,
          ...more,
        });
        closers.defer(() => bare.stop());
        return bare;
      },
    };
  } catch (error) {
    await closers.disposeAsync();
    throw error;
  }
}

// A refused request fails the bench, and only the service's log says why.
function printErrors(log: Readable): void {
  let printed = 0;
  createInterface({ input: log }).on('line', (line) => {
    if (/"level":"(error|fatal)"/.test(line) && printed++ < 5) console.error(line);
  });
}
