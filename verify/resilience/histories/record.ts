import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { runAdmin } from '@assay/server/admin/admin.ts';
import { readConfig } from '@assay/server/config/config.ts';
import { startApi } from '@assay/server/start/api.ts';
import { partsWith, up } from '@assay/stack/control.ts';
import { environmentOf, openInstance } from '@assay/stack/instance.ts';
import { bundleCode } from '@assay/testing/run/bundle-code.ts';
import type { TestWorkspace } from '@assay/testing/service/api.ts';
import { type ServerProcess, startServerProcess } from '@assay/testing/service/api-process.ts';
import { createClient } from '@assay/testing/service/client.ts';
import { dropDatabase, makeDatabase } from '@assay/testing/service/make-database.ts';
import { openContainer } from '@assay/testing/storage/blobs.ts';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { type RunContext, workflowRuns } from './workflow-runs.ts';

/**
 * Records the histories of the current workflow code, in addition to those recorded before: `pnpm record-histories v2`.
 * Changed workflow code must still replay all of them, because runs of the previous version may be in progress.
 */
const [label] = process.argv.slice(2);
if (!label || !/^\w+$/.test(label)) throw new Error('usage: pnpm record-histories <label>');

const instance = openInstance('test');
bundleCode();
await up(instance, partsWith(instance.storage));
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
const workspace = (await runAdmin(create, api.handles, config)) as TestWorkspace;
const engine = api.handles.workflows.client.workflow;

for (const [name, start] of Object.entries(workflowRuns)) {
  const workers: ServerProcess[] = [];
  const context: RunContext = {
    live: createClient(api.url, workspace.liveKey),
    sandbox: createClient(api.url, workspace.sandboxKey),
    container: openContainer(config),
    engine,
    config,
    async startWorker(overrides = {}) {
      const worker = await startServerProcess('worker', { ...environment, ...overrides });
      workers.push(worker);
      return worker;
    },
  };
  const run = engine.getHandle(await start(context));
  await run.result().catch(() => {}); // a cancelled run has no result
  const history = JSON.parse(historyToJSON(await run.fetchHistory()), createCleaner());
  writeFileSync(join(import.meta.dirname, `${label}-${name}.json`), `${JSON.stringify(history, null, 1)}\n`);
  await Promise.all(workers.map((worker) => worker.stop()));
}
await api.stop();
await dropDatabase(serverUrl, databaseName);

/** Replaces worker identities: a replay does not need the real ones, but a reader needs to tell them apart. */
function createCleaner() {
  const names = new Map<string, string>();
  const nameOf = (identity: string) => {
    if (!names.has(identity)) names.set(identity, `recorded-${names.size + 1}`);
    return names.get(identity);
  };
  return (key: string, value: unknown): unknown => {
    if (typeof value !== 'string') return value;
    if (key === 'identity') return value && nameOf(value);
    // A worker's queue name contains its identity, which occurs earlier in the history.
    const clean = [...names].reduce((text, [identity, name]) => text.replaceAll(identity, name), value);
    return clean.replaceAll(`@${hostname()}`, '@recorded'); // the bare host name may be part of encoded bytes
  };
}
