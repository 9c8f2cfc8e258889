import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { runAdmin } from '@assay/server/access/admin.ts';
import { startApi } from '@assay/server/assemble.ts';
import { startWorker } from '@assay/server/assemble-worker.ts';
import { readConfig } from '@assay/server/config.ts';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { allParts, up } from '../../stack/control.ts';
import { environmentOf, openInstance } from '../../stack/instance.ts';
import type { TestWorkspace } from '../support/api.ts';
import { openContainer } from '../support/blobs.ts';
import { createClient } from '../support/client.ts';
import { makeDatabase } from '../support/make-database.ts';
import { submit, untilOver, uploadText } from '../support/submissions.ts';

/**
 * Records what the engine keeps of today's stories, beside those recorded before: `pnpm record-histories v2`.
 * A change of workflow code must still be able to replay all of them, as runs of the version before may be under way.
 */
const [label] = process.argv.slice(2);
if (!label || !/^[\w-]+$/.test(label)) throw new Error('usage: pnpm record-histories <label>');

const instance = openInstance('test');
await up(instance, allParts);
const environment = environmentOf(instance);
const config = readConfig({
  ...environment,
  DATABASE_URL: await makeDatabase(environment.DATABASE_URL as string, 'assay_histories'),
  API_PORT: '0',
  API_METRICS_PORT: '0',
  WORKER_METRICS_PORT: '0',
  DRAIN_SECONDS: '0',
  LOG_LEVEL: 'error',
  TEMPORAL_QUEUE_PREFIX: `${randomUUID()}:`,
});
const api = await startApi(config);
const create = ['workspace', 'create', '--name', 'histories', '--tier', 'enterprise'];
const workspace = (await runAdmin(create, api.handles, config.KEY_PEPPER)) as TestWorkspace;
const [live, sandbox] = [createClient(api.url, workspace.liveKey), createClient(api.url, workspace.sandboxKey)];
const container = openContainer(config);
const engine = api.handles.workflows.client.workflow;

const [sound, changed] = [await uploadText(live, 'sound.txt'), await uploadText(live, 'changed.txt')];
const analysed = await submit(live, [sound, changed]);
await container.getBlockBlobClient(changed).upload('other', 5);
const cancelled = await submit(live, [sound]);
await engine.getHandle(cancelled.workflowId).cancel();
const worker = await startWorker(config);
const rehearsed = await submit(sandbox, [sound]);
const delayed = await submit(sandbox, [sound], {}, '?simulationDelaySeconds=1');

for (const [name, client, { submissionId, workflowId }] of [
  ['analysed', live, analysed],
  ['cancelled', live, cancelled],
  ['rehearsed', sandbox, rehearsed],
  ['delayed', sandbox, delayed],
] as const) {
  await untilOver(client, submissionId);
  await engine
    .getHandle(workflowId)
    .result()
    .catch(() => {}); // a cancelled run has none
  const history = JSON.parse(historyToJSON(await engine.getHandle(workflowId).fetchHistory()), withoutMachine);
  const text = JSON.stringify(history, null, 1);
  writeFileSync(join(import.meta.dirname, `${label}-${name}.json`), `${text}\n`);
}
await worker.stop();
await api.stop();

/** Who did it where is of no use to a replay. */
function withoutMachine(name: string, value: unknown): unknown {
  if (name === 'identity') return 'recorded';
  return typeof value === 'string' ? value.replaceAll(hostname(), 'recorded') : value;
}
