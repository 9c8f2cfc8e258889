import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import openapi from '@assay/contract/openapi.json' with { type: 'json' };
import { storeKinds } from '@assay/server/platform/storage/stores.ts';
import { nodeEnvironment } from '@assay/testing/run/node-environment.ts';
import { root } from '@assay/testing/run/root.ts';
import { openTestApi, testEnvironment } from '@assay/testing/service/api.ts';
import { startServerProcess } from '@assay/testing/service/api-process.ts';
import { createClient } from '@assay/testing/service/client.ts';
import { submit, untilFinished, uploadText } from '@assay/testing/service/submissions.ts';
import pg from 'pg';
import { afterAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const environment = testEnvironment();
const api = await openTestApi(environment);

describe('endpoints that need no API key', () => {
  test('/healthz returns 200 while the process is alive', async () => {
    const response = await fetch(`${api.url}/healthz`);
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
  });

  test('/readyz returns the state of every dependency and the version of the service', async () => {
    const response = await fetch(`${api.url}/readyz`);
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        status: 'ready',
        parts: { postgres: 'up', blobs: 'up', redis: 'up', temporal: 'up' },
        version: manifest.version,
      },
    ]);
  });

  test('/openapi.json returns the checked-in document', async () => {
    expect(await (await fetch(`${api.url}/openapi.json`)).json()).toEqual(openapi);
  });

  test('a method that is not allowed for a path outside the prefix is refused with 405', async () => {
    const response = await fetch(`${api.url}/healthz`, { method: 'POST' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('/metrics', () => {
  test('is served in Prometheus format, with OpenTelemetry names, on a separate port', async () => {
    await api.client().get('/me');
    const text = await (await fetch(`${api.metricsUrl}/metrics`)).text();
    expect(text).toMatch(
      /^http_server_request_duration_seconds_count\{http_request_method="GET",http_route="\/api\/integrations\/me",http_response_status_code="401"\} 1$/m,
    );
    for (const name of ['http_server_active_requests', 'db_client_connection_count', 'process_memory_usage_bytes']) {
      expect(text).toMatch(new RegExp(`^# TYPE ${name} gauge$`, 'm'));
    }
    expect((await fetch(`${api.url}/metrics`)).status).toBe(404);
  });
});

describe('the API', () => {
  test('ends open streams and exits with 0 on SIGTERM', async () => {
    const { workspaceId, sandboxKey } = await api.makeWorkspace();
    const leaving = await startServerProcess('api', testEnvironment());
    const stream = await createClient(leaving.url, sandboxKey).open(`/realtime?channel=webhooks.${workspaceId}`);
    expect(stream.status).toBe(200);
    const messages = Array.fromAsync(stream.messages); // ends only when the stream does
    expect(await leaving.stop()).toBe(0);
    expect(await messages).toEqual([]);
  });
});

describe('the worker', async () => {
  const worker = await startServerProcess('worker', environment);
  afterAll(() => worker.stop());

  test('is ready when the engine, the database, the storage, the disk, the clock and the jail are all up', async () => {
    const response = await fetch(`${worker.metricsUrl}/readyz`);
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        status: 'ready',
        parts: { temporal: 'up', postgres: 'up', blobs: 'up', disk: 'up', clock: 'up', jail: 'up' },
        toolJail: 'bubblewrap',
      },
    ]);
  });

  test('exports backlog metrics for the database and for each engine queue', async () => {
    const text = await (await fetch(`${worker.metricsUrl}/metrics`)).text();
    const figures = Object.fromEntries(
      text
        .split('\n')
        .filter((line) => line.startsWith('assay_'))
        .map((line) => line.split(' ') as [string, string]),
    );
    for (const name of [
      'assay_submissions_unfinished',
      'assay_submissions_oldest_unfinished_seconds',
      'assay_runs_to_start',
      'assay_blobs_due',
      'assay_webhook_deliveries_pending',
      'assay_webhook_delivery_overdue_seconds',
      'assay_queue_waiting{queue="video"}',
      'assay_queue_oldest_seconds{queue="video"}',
    ]) {
      expect(Number(figures[name]), name).toBeGreaterThanOrEqual(0);
    }
    expect(Number(figures.assay_months_ahead)).toBeGreaterThanOrEqual(3);
    expect(text).toContain('assay_runs_restarted_total 0');
  });

  test('exports metrics of asset outcomes and of the duration of each sidekick', async () => {
    const client = api.client((await api.makeWorkspace()).liveKey);
    const { submissionId } = await submit(client, [await uploadText(client)]);
    await untilFinished(client, submissionId);
    const text = await (await fetch(`${worker.metricsUrl}/metrics`)).text();
    expect(text).toContain('assay_assets_settled_total{outcome="complete"} 1');
    expect(text).toContain('assay_sidekick_duration_seconds_count{sidekick="File safety"} 1');
  });

  test('exports exactly the metrics that docs/operate/self-hosting.md lists', async () => {
    const text = await (await fetch(`${worker.metricsUrl}/metrics`)).text();
    const exported = [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name);
    const page = readFileSync(join(root, 'docs/operate/self-hosting.md'), 'utf8');
    const listed = [...page.matchAll(/^\| `([a-z]+_\w+)[`{]/gm)].map(([, name]) => name);
    expect(listed.sort()).toEqual(exported.sort());
  });

  test('exits with 0 on SIGTERM', async () => {
    expect(await worker.stop()).toBe(0);
  });
});

describe('the server’s CLI', () => {
  const run = (args: string[], environment = testEnvironment()) => {
    try {
      const stdout = execFileSync(process.execPath, [join(root, 'apps/server/src/main.ts'), ...args], {
        encoding: 'utf8',
        env: { ...nodeEnvironment, ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      return { code: 0, stdout, stderr: '' };
    } catch (error) {
      const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
      return { code: status, stdout, stderr };
    }
  };

  test('`admin` prints JSON and nothing else', () => {
    const { stdout } = run(['admin', 'workspace', 'create', '--name', 'from the shell', '--tier', 'pro']);
    expect(Object.keys(JSON.parse(stdout))).toEqual(['workspaceId', 'liveKey', 'sandboxKey']);
  });

  test('names the error in a command or configuration, without a stack trace', () => {
    for (const args of [['dance'], ['admin', 'key', 'revoke', '--key', 'x']]) {
      const { code, stderr } = run(args);
      expect(code).toBe(1);
      expect(stderr).toMatch(/usage: /);
      expect(stderr).not.toMatch(/ at .*\.ts/);
    }
    const { code, stderr } = run(['api'], {});
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Invalid configuration:\n {2}/);
    expect(stderr).not.toMatch(/ at .*\.ts/);
  });

  test('`migrate` prints nothing and exits with 0 if the database is up to date', () => {
    expect(run(['migrate'])).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

test('the constraints of the blobs table accept every object store', async () => {
  const client = new pg.Client({ connectionString: api.config.DATABASE_URL });
  await client.connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query<{ definition: string }>(
    `select pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = 'blobs'::regclass and pg_get_constraintdef(oid) ~ 'store = ANY'`,
  );
  expect(rows.map(({ definition }) => storeKinds.filter((kind) => definition.includes(`'${kind}'`)))).toEqual([
    storeKinds,
    storeKinds,
  ]);
});

test('the generated database types match the migrations (if not: pnpm database-types)', () => {
  const args = ['--filter', '@assay/server', 'exec', 'kysely-codegen', '--dialect', 'postgres', '--verify'];
  const target = [
    '--exclude-pattern',
    'schema_migrations',
    '--out-file',
    'src/platform/postgres/database.generated.ts',
  ];
  execFileSync('pnpm', [...args, ...target, '--url', inject('environment').MIGRATION_DATABASE_URL as string], {
    cwd: root,
    stdio: 'pipe',
  });
});
