import { prefixes } from '@assay/contract/route.ts';
import { storageParts } from '@assay/stack/control.ts';
import type { Storage } from '@assay/stack/instance.ts';
import type { Part } from '@assay/stack/part.ts';
import { postgres } from '@assay/stack/parts/postgres.ts';
import { redis } from '@assay/stack/parts/redis.ts';
import { temporal } from '@assay/stack/parts/temporal.ts';
import { createClient } from '@assay/testing/service/client.ts';
import { asSuperuser } from '@assay/testing/service/make-database.ts';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { openBenchService } from '../measure/bench-service.ts';
import { packageVersion, wrkVersion } from '../measure/versions.ts';

export type SubmissionBench = Awaited<ReturnType<typeof openSubmissionBench>>;

/** All the parts and a running API; no worker yet. */
export async function openSubmissionBench(
  database: Part = postgres,
  overrides: Record<string, string> = {},
  storage: Storage = 'azure',
) {
  const store = storageParts[storage];
  // Without the engine's web interface, which would only use CPU.
  const service = await openBenchService([database, redis, store, temporal], overrides);
  const { closers, stack, config, workspace } = service;
  try {
    const api = await service.start('api');
    const db = new pg.Pool({ connectionString: asSuperuser(config.DATABASE_URL), max: 4 });
    closers.defer(() => db.end());
    return {
      ...service,
      api,
      apiUrl: api.url + prefixes[0],
      /** Queries the service's database with a role other than the service's. */
      db,
      live: createClient(api.url, workspace.liveKey),
      sandbox: createClient(api.url, workspace.sandboxKey),
      async connectToEngine(): Promise<Client> {
        const connection = await Connection.connect({ address: config.TEMPORAL_ADDRESS });
        closers.defer(() => connection.close());
        return new Client({ connection, namespace: config.TEMPORAL_NAMESPACE });
      },
      clocks: {
        postgres: stack.clockOf(database),
        temporal: stack.clockOf(temporal),
        storage: stack.clockOf(store),
        redis: stack.clockOf(redis),
      },
      versions: {
        Node: process.versions.node,
        Fastify: packageVersion('fastify'),
        pg: packageVersion('pg'),
        PostgreSQL: await stack.versionOf(database),
        Redis: await stack.versionOf(redis),
        [storage === 's3' ? 'versitygw' : 'Azurite']: await stack.versionOf(store),
        Temporal: await stack.versionOf(temporal),
        'its SDK': packageVersion('@temporalio/worker'),
        wrk: wrkVersion(),
      },
      close: () => closers.disposeAsync(),
    };
  } catch (error) {
    await closers.disposeAsync();
    throw error;
  }
}
