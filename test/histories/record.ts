import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { runAdmin } from '@assay/server/access/admin.ts';
import { startApi } from '@assay/server/assemble.ts';
import { readConfig } from '@assay/server/config.ts';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { allParts, up } from '../../stack/control.ts';
import { environmentOf, openInstance } from '../../stack/instance.ts';
import type { TestWorkspace } from '../support/api.ts';
import { type ServerProcess, startServerProcess } from '../support/api-process.ts';
import { openContainer } from '../support/blobs.ts';
import { bundleWorkflows } from '../support/bundle-workflows.ts';
import { createClient } from '../support/client.ts';
import { dropDatabase, makeDatabase } from '../support/make-database.ts';
import { type Stage, stories } from './stories.ts';

/**
 * Records what the engine keeps of today's stories, beside those recorded before: `pnpm record-histories v2`.
 * A change of workflow code must still be able to replay all of them, as runs of the version before may be under way.
 */
const [label] = process.argv.slice(2);
if (!label || !/^\w+$/.test(label)) throw new Error('usage: pnpm record-histories <label>');

const instance = openInstance('test');
bundleWorkflows();
await up(instance, allParts);
const serverUrl = environmentOf(instance).DATABASE_URL as string;
const databaseName = 'assay_histories';
const environment = {
  ...environmentOf(instance),
  DATABASE_URL: await makeDatabase(serverUrl, databaseName),
  API_PORT: '0',
  API_METRICS_PORT: '0',
  WORKER_METRICS_PORT: '0',
  DRAIN_SECONDS: '0',
  LOG_LEVEL: 'error',
  TEMPORAL_QUEUE_PREFIX: `${randomUUID()}:`,
};
const config = readConfig(environment);
const api = await startApi(config);
const create = ['workspace', 'create', '--name', 'histories', '--tier', 'enterprise'];
const workspace = (await runAdmin(create, api.handles, config.KEY_PEPPER)) as TestWorkspace;
const engine = api.handles.workflows.client.workflow;

for (const [name, tell] of Object.entries(stories)) {
  const workers: ServerProcess[] = [];
  const stage: Stage = {
    live: createClient(api.url, workspace.liveKey),
    sandbox: createClient(api.url, workspace.sandboxKey),
    container: openContainer(config),
    engine,
    blobUrl: config.BLOB_URL,
    async startWorker(overrides = {}) {
      const worker = await startServerProcess('worker', { ...environment, ...overrides });
      workers.push(worker);
      return worker;
    },
  };
  const run = engine.getHandle(await tell(stage));
  await run.result().catch(() => {}); // a cancelled run has none
  const history = JSON.parse(historyToJSON(await run.fetchHistory()), createCleaner());
  writeFileSync(join(import.meta.dirname, `${label}-${name}.json`), `${JSON.stringify(history, null, 1)}\n`);
  await Promise.all(workers.map((worker) => worker.stop()));
}
await api.stop();
await dropDatabase(serverUrl, databaseName);

/** Who did it where is of no use to a replay. That two were not the same is of use to a reader, so each has a name. */
function createCleaner() {
  const names = new Map<string, string>();
  const nameOf = (identity: string) => {
    if (!names.has(identity)) names.set(identity, `recorded-${names.size + 1}`);
    return names.get(identity);
  };
  return (key: string, value: unknown): unknown => {
    if (typeof value !== 'string') return value;
    if (key === 'identity') return value && nameOf(value);
    // The queue of a worker carries its identity, and comes later than the worker itself.
    const clean = [...names].reduce((text, [identity, name]) => text.replaceAll(identity, name), value);
    return clean.replaceAll(`@${hostname()}`, '@recorded'); // not the bare name, which may be part of encoded bytes
  };
}
