import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buckets } from '@assay/contract/limits.ts';
import { scopes } from '@assay/contract/rights.ts';
import { runAdmin } from '@assay/server/admin/admin.ts';
import { readConfig } from '@assay/server/config/config.ts';
import { requestDuration } from '@assay/server/http/metrics.ts';
import type { Metrics } from '@assay/server/platform/metrics.ts';
import { startApi } from '@assay/server/start/api.ts';
import { startWorker } from '@assay/server/start/worker.ts';
import { cacheDir } from '@assay/stack/instance.ts';
import { printTable } from '@assay/stack/table.ts';
import { versionInSetup } from '@assay/stack/versions.ts';
import { bundleCode } from '@assay/testing/run/bundle-code.ts';
import { describeSeed, readSeed } from '@assay/testing/run/seed.ts';
import { openReceiver } from '@assay/testing/service/receiver.ts';
import { withTestStack } from '@assay/testing/service/with-test-stack.ts';
import { countUnfinished, type KnownValues, prepareWorkspace } from './prepare.ts';
import type { WorkspaceKeys } from './prepare-webhooks.ts';

const seed = readSeed(20260105);
/** `--quick` in the gate: few random cases of each operation, after the same deterministic ones (coverage). */
const fullRun = { examplesMax: 190, casesMin: 5000, successesMin: 20 };
const quickRun = { examplesMax: 15, casesMin: 3000, successesMin: 2 };
const { examplesMax, casesMin, successesMin } = process.argv.includes('--quick') ? quickRun : fullRun;
const waitSecondsMax = 600;
const phases = ['examples', 'coverage', 'fuzzing', 'stateful'];

const program = join(cacheDir, `schemathesis-${versionInSetup('SCHEMATHESIS_VERSION')}`, 'bin', 'schemathesis');

/** The part of schemathesis's report (`--report json`) that is used here. */
type Report = {
  phases: Record<string, { status: string; skip_reason: string | null }> | null;
  test_cases: { generated: number };
};

type Document = {
  servers: { url: string }[];
  paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
};

/** How many responses with this status the API itself has counted for a route. */
type ResponseCount = { method: string; route: string; status: string; count: number };

async function runAgainst(environment: Record<string, string>): Promise<string[]> {
  const limits = Object.fromEntries(buckets.map((bucket) => [bucket, 1_000_000]));
  const config = readConfig({
    ...environment,
    API_PORT: '0',
    API_METRICS_PORT: '0',
    WORKER_METRICS_PORT: '0',
    DRAIN_SECONDS: '0',
    LOG_LEVEL: 'error', // shows the cause of a 5xx
    TRUSTED_PROXIES: '127.0.0.1', // hooks.py lets each case come from a different address
    // The previous run may have just ended, and its leftovers must not be processed.
    REDIS_KEY_PREFIX: `${randomUUID()}:`,
    TEMPORAL_QUEUE_PREFIX: `${randomUUID()}:`,
    RATE_LIMITS: JSON.stringify({ starter: limits, enterprise: limits }), // a sandbox key has the limits of starter
  });
  const worker = await startWorker(config);
  const testedApi = await startApi(config);
  // Serves the requests before and after the run, so that the tested API counts only generated cases.
  const preparingApi = await startApi(config);
  // No worker polls its queues.
  const idle = await startApi({ ...config, TEMPORAL_QUEUE_PREFIX: `${randomUUID()}:` });
  const receiver = await openReceiver();
  const scratch = mkdtempSync(join(tmpdir(), 'assay-schemathesis-'));
  try {
    const create = ['workspace', 'create', '--name', 'schemathesis', '--tier', 'enterprise'];
    const makeWorkspace = async () => (await runAdmin(create, preparingApi.handles, config)) as WorkspaceKeys;
    const makeManager = async () => {
      const { workspaceId } = (await makeWorkspace()) as WorkspaceKeys & { workspaceId: string };
      const args = ['--workspace', workspaceId, '--mode', 'live', '--scopes', scopes.join(',')];
      const { key } = (await runAdmin(['key', 'create', ...args], preparingApi.handles, config)) as { key: string };
      return key;
    };
    const known = await prepareWorkspace(
      preparingApi.url,
      idle.url,
      receiver.url,
      makeWorkspace,
      makeManager,
      preparingApi.handles.db,
    );
    const document = (await (await fetch(`${testedApi.url}/openapi.json`)).json()) as Document;
    const outcome = await runSchemathesis(testedApi.url, known, scratch);
    const unfinished = await countUnfinished(preparingApi.url, known);
    // A response is counted after it is sent, so only a stopped API has counted all of them.
    await testedApi.stop();
    const failures = findFailures(document, await countsOf(testedApi.handles.metrics), outcome);
    if (unfinished > 0) failures.push(`${unfinished} submissions never finished`);
    return failures;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
    receiver.close();
    await Promise.all([preparingApi.stop(), idle.stop(), worker.stop()]);
  }
}

/** Runs schemathesis. Everything that schemathesis and Python write goes into the scratch folder. */
async function runSchemathesis(url: string, known: KnownValues, scratch: string) {
  const knownFile = join(scratch, 'known.json');
  writeFileSync(knownFile, JSON.stringify(known));
  const reportFile = join(scratch, 'report.json');
  const settings = ['--config-file', join(import.meta.dirname, 'schemathesis.toml')];
  const size = ['--max-examples', String(examplesMax)];
  const options = [...size, '--seed', String(seed), '--phases', phases.join(','), '--report', 'json'];
  console.log(`schemathesis with seed ${seed} against ${url}`);
  const child = spawn(
    program,
    [...settings, 'run', `${url}/openapi.json`, ...options, '--report-json-path', reportFile],
    {
      cwd: scratch,
      stdio: ['ignore', 'inherit', 'inherit'],
      timeout: waitSecondsMax * 1000,
      env: {
        ...process.env,
        ASSAY_KEY: known.liveKey,
        ASSAY_KNOWN: knownFile,
        SCHEMATHESIS_HOOKS: join(import.meta.dirname, 'hooks.py'),
        HYPOTHESIS_STORAGE_DIRECTORY: join(scratch, 'hypothesis'),
        PYTHONDONTWRITEBYTECODE: '1',
        PYTHONHASHSEED: '0', // the order of sets affects what is generated
      },
    },
  );
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, report: readReport(reportFile) };
}

function readReport(file: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined; // schemathesis was interrupted
  }
}

async function countsOf(metrics: Metrics): Promise<ResponseCount[]> {
  const { values } = await requestDuration(metrics).get();
  return values
    .filter(({ metricName }) => metricName?.endsWith('_count'))
    .map(({ labels, value }) => ({
      method: String(labels.http_request_method),
      route: String(labels.http_route),
      status: String(labels.http_response_status_code),
      count: value,
    }))
    .filter(({ route }) => route !== '/openapi.json');
}

function findFailures(
  document: Document,
  counts: ResponseCount[],
  { exitCode, report }: { exitCode: number | null; report: Report | undefined },
): string[] {
  const operations = operationsOf(document);
  const total = sumCounts(counts);
  const generated = report?.test_cases.generated ?? 0;
  printCounts(operations, counts);
  console.log(`\n${generated} cases generated, ${total} responses counted by the API`);

  const failures: string[] = [];
  if (exitCode !== 0) failures.push(`schemathesis ended with ${exitCode ?? `no code after ${waitSecondsMax} s`}`);
  for (const phase of phases) {
    const { status, skip_reason } = report?.phases?.[phase] ?? { status: 'missing', skip_reason: null };
    if (status !== 'success') failures.push(`phase ${phase}: ${[status, skip_reason].filter(Boolean).join(', ')}`);
  }
  if (Math.min(generated, total) < casesMin) failures.push(`fewer than ${casesMin} cases`);
  for (const { method, route, status, count } of counts) {
    if (status === '429' || Number(status) >= 500) {
      failures.push(`${method} ${route || '(no route)'} answered ${status} ${count} times`);
    }
  }
  for (const operation of operations) {
    const successes = sumCounts(
      counts.filter((count) => belongsTo(operation, count) && operation.successes.includes(count.status)),
    );
    if (successes < successesMin) failures.push(`${operation.name} succeeded only ${successes} times`);
  }
  return failures;
}

type Operation = { name: string; method: string; route: string; successes: string[] };

function operationsOf({ servers, paths }: Document): Operation[] {
  const prefix = servers[0]?.url ?? '';
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      route: prefix + path.replaceAll(/\{(\w+)\}/g, ':$1'),
      successes: Object.keys(responses).filter((status) => status.startsWith('2')),
    })),
  );
}

function belongsTo(operation: Operation, { method, route }: ResponseCount): boolean {
  return operation.method === method && operation.route === route;
}

function printCounts(operations: Operation[], counts: ResponseCount[]): void {
  const statuses = [...new Set(counts.map(({ status }) => status))].sort();
  const row = (name: string, chosen: ResponseCount[]) => ({
    operation: name,
    ...Object.fromEntries(
      statuses.map((status) => [
        `→${status}`,
        String(sumCounts(chosen.filter((count) => count.status === status)) || ''),
      ]),
    ),
    all: String(sumCounts(chosen)),
  });
  console.log();
  printTable([
    ...operations.map((operation) =>
      row(
        operation.name,
        counts.filter((count) => belongsTo(operation, count)),
      ),
    ),
    row(
      'other methods and paths',
      counts.filter((count) => !operations.some((operation) => belongsTo(operation, count))),
    ),
    row('all', counts),
  ]);
}

function sumCounts(counts: ResponseCount[]): number {
  return counts.reduce((total, { count }) => total + count, 0);
}

if (!existsSync(program)) throw new Error(`${program} is missing: run ./setup first`);
bundleCode();
const failures = await withTestStack('schemathesis', runAgainst);
for (const failure of failures) console.error(`FAILED: ${failure}`);
if (failures.length > 0) {
  console.error(describeSeed(seed, ['pnpm schemathesis', ...process.argv.slice(2)].join(' ')));
  process.exitCode = 1;
}
