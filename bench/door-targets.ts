import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { prefixes } from '@assay/contract/route.ts';
import { routes } from '@assay/contract/routes.ts';
import { administer } from '@assay/server/assemble.ts';
import { readConfig } from '@assay/server/config.ts';
import { azurite } from '../stack/parts/azurite.ts';
import { postgres } from '../stack/parts/postgres.ts';
import { redis } from '../stack/parts/redis.ts';
import { startServerProcess } from '../test/support/api-process.ts';
import { makeDatabase } from '../test/support/make-database.ts';
import { startBareProcess } from './bare-process.ts';
import { openBenchStack } from './bench-stack.ts';
import { cpuMicrosOf, cpuMicrosOfFamily } from './cpu-clock.ts';
import { packageVersion, wrkVersion } from './machine.ts';
import type { Target } from './slices.ts';

/** The bare server and the API, each a process, on one database of their own. */
export async function openDoorTargets() {
  const closers = new AsyncDisposableStack();
  try {
    const stack = await openBenchStack([postgres, redis, azurite]);
    closers.defer(stack.close);
    const environment = {
      ...stack.environment,
      DATABASE_URL: await makeDatabase(stack.environment.DATABASE_URL as string, 'assay_bench'),
      API_PORT: '0',
      API_METRICS_PORT: '0',
      REDIS_KEY_PREFIX: `${randomUUID()}:`,
      RATE_LIMITS: JSON.stringify({ enterprise: { upload: 1e9, submission_read: 1e9 } }),
    };
    const config = readConfig(environment);
    const workspace = (await administer(config, 'workspace create --name bench --tier enterprise'.split(' '))) as {
      workspaceId: string;
      liveKey: string;
    };
    const bare = await startBareProcess({
      DATABASE_URL: config.DATABASE_URL,
      DATABASE_CONNECTIONS_MAX: String(config.DATABASE_CONNECTIONS_MAX),
      WORKSPACE_ID: workspace.workspaceId,
    });
    closers.defer(() => bare.stop());
    const api = await startServerProcess('api', environment);
    closers.defer(async () => void (await api.stop()));
    if (api.child.stdout) printErrors(api.child.stdout);

    const parts = {
      postgres: () => cpuMicrosOfFamily(stack.pidOf(postgres)),
      redis: () => cpuMicrosOf(stack.pidOf(redis)),
    };
    const apiClocks = { server: () => cpuMicrosOf(api.pid), ...parts };
    const apiUrl = api.url + prefixes[0];
    const { getMe, createUploadUrl } = routes;
    const targets = {
      bare: {
        name: 'bare Fastify, one select',
        request: { method: 'GET', url: `${bare.url}/workspace` },
        clocks: { server: () => cpuMicrosOf(bare.pid), ...parts },
      },
      me: {
        name: 'GET /me',
        request: { method: getMe.method, url: apiUrl + getMe.path, apiKey: workspace.liveKey },
        clocks: apiClocks,
      },
      url: {
        name: 'POST uploads/url',
        request: {
          method: createUploadUrl.method,
          url: apiUrl + createUploadUrl.path,
          apiKey: workspace.liveKey,
          body: createUploadUrl.examples.request,
        },
        clocks: apiClocks,
      },
    } satisfies Record<string, Target>;
    const versions = {
      Node: process.versions.node,
      Fastify: packageVersion('fastify'),
      pg: packageVersion('pg'),
      PostgreSQL: await stack.versionOf(postgres),
      Redis: await stack.versionOf(redis),
      wrk: wrkVersion(),
    };
    return { targets: targets as Record<keyof typeof targets, Target>, versions, close: () => closers.disposeAsync() };
  } catch (error) {
    await closers.disposeAsync();
    throw error;
  }
}

// A refused request fails the bench, and only the API's own log says why.
function printErrors(log: Readable): void {
  let printed = 0;
  createInterface({ input: log }).on('line', (line) => {
    if (/"level":"(error|fatal)"/.test(line) && printed++ < 5) console.error(line);
  });
}
