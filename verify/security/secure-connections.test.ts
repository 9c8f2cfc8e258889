import { randomBytes } from 'node:crypto';
import { administer, runAdmin } from '@assay/server/admin/admin.ts';
import { type Config, readConfig } from '@assay/server/config/config.ts';
import { explainFailure } from '@assay/server/platform/connections/explain-failure.ts';
import { checkDb } from '@assay/server/platform/postgres/db.ts';
import { migrate, runDbmate } from '@assay/server/platform/postgres/migrate.ts';
import { openWorkers } from '@assay/server/platform/temporal/workers.ts';
import { checkWorkflows } from '@assay/server/platform/temporal/workflows.ts';
import { startApi } from '@assay/server/start/api.ts';
import { engineSecurityOf, openHandles } from '@assay/server/start/open-platform.ts';
import { startWorker } from '@assay/server/start/worker.ts';
import type { Certificates } from '@assay/testing/faults/certificates.ts';
import { makeClientCertificates, makeTlsScenarios } from '@assay/testing/faults/server-certificates.ts';
import { openTlsEngine, type TlsEngineOptions } from '@assay/testing/faults/tls-engine.ts';
import { openTlsPostgres, openTlsRedis } from '@assay/testing/faults/tls-servers.ts';
import { type TestWorkspace, testEnvironment } from '@assay/testing/service/api.ts';
import { startServerProcess } from '@assay/testing/service/api-process.ts';
import { createClient } from '@assay/testing/service/client.ts';
import { asOwner } from '@assay/testing/service/make-database.ts';
import { submit, untilFinished, uploadText } from '@assay/testing/service/submissions.ts';
import pg from 'pg';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';

const { valid, expired, wrongName, untrustedCa } = await makeTlsScenarios();
const client = makeClientCertificates();
const foreignClient = makeClientCertificates();
const apiKey = randomBytes(24).toString('base64url');
const plainEngine = testEnvironment().TEMPORAL_ADDRESS as string;

const [redis, postgres] = await Promise.all([openTlsRedis(), openTlsPostgres()]);
afterAll(() => Promise.all([redis.close(), postgres.close()]));

async function openGate(server: Certificates, options?: TlsEngineOptions) {
  const gate = await openTlsEngine(plainEngine, server, options);
  onTestFinished(gate.close);
  return gate;
}

/** Settings that connect to the servers of this file over TLS. */
const tlsSettings = (engineAddress: string, caFile: string) => ({
  DATABASE_URL: postgres.url,
  MIGRATION_DATABASE_URL: asOwner(postgres.url),
  DATABASE_CA_FILE: caFile,
  REDIS_URL: redis.url,
  REDIS_CA_FILE: caFile,
  TEMPORAL_ADDRESS: engineAddress,
  TEMPORAL_TLS_CA_FILE: caFile,
});

/** Runs a submission through an API and a worker, and returns its status and the readiness of the parts. */
async function runSubmission(config: Config) {
  const api = await startApi(config);
  onTestFinished(api.stop);
  const worker = await startWorker(config);
  onTestFinished(worker.stop);
  const workspace = (await runAdmin(
    ['workspace', 'create', '--name', 'secure', '--tier', 'pro'],
    api.handles,
    config,
  )) as TestWorkspace;
  const caller = createClient(api.url, workspace.sandboxKey);
  const { submissionId } = await submit(caller, [await uploadText(caller)]);
  const { status } = await untilFinished(caller, submissionId);
  const { parts } = await readinessOf(api.url);
  return { status, parts };
}

async function readinessOf(url: string): Promise<{ parts: Record<string, string> }> {
  const response = await fetch(`${url}/readyz`);
  return response.json() as never;
}

const completedResult = { status: 'complete', parts: { postgres: 'up', redis: 'up', temporal: 'up', blobs: 'up' } };
const engineCall = (name: string) => `/temporal.api.workflowservice.v1.WorkflowService/${name}`;
const callsOfApiAndWorker = expect.arrayContaining(['StartWorkflowExecution', 'PollWorkflowTaskQueue'].map(engineCall));

describe('TLS connections to PostgreSQL, Redis and Temporal', () => {
  test('migrations and a whole submission succeed if the servers have certificates of the configured CA', async () => {
    await Promise.all([redis.start(valid.server), postgres.start(valid.server)]);
    const gate = await openGate(valid.server);
    const settings = { ...tlsSettings(gate.address, valid.trusted), WORKER_QUEUES: 'sandbox' };
    const config = readConfig(testEnvironment(settings));
    await migrate(config.MIGRATION_DATABASE_URL, config.DATABASE_URL);
    expect(await runSubmission(config)).toEqual(completedResult);
    expect(gate.calls).toEqual(callsOfApiAndWorker);
    const owner = new pg.Client({ connectionString: config.DATABASE_URL });
    await owner.connect();
    const { rows } = await owner.query(
      `select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'assay'`,
    );
    await owner.end();
    expect(rows).toEqual([{ ssl: true }]);
  });

  test.each([
    ['an expired certificate', expired, "the server's certificate has expired"],
    ['a certificate for a different host', wrongName, "the server's certificate is for another host"],
    ['a certificate of another CA', untrustedCa, "the server's certificate is not signed by a trusted CA"],
  ])('%s is refused by every role, with the reason in the log', async (_what, { server, trusted }, reason) => {
    await Promise.all([redis.start(server), postgres.start(server)]);
    const gate = await openGate(server);
    const environment = testEnvironment(tlsSettings(gate.address, trusted));
    const config = readConfig(environment);
    const logged = new Map<unknown, unknown>();
    const api = await startServerProcess('api', environment, {
      onEntry({ msg, part, reason: found }) {
        // On a slow host, the first reason may be a timeout.
        if (found) logged.set(part ?? String(msg).split(' ')[0], found);
      },
    });
    onTestFinished(() => void api.stop());
    const expected = expect.stringContaining(reason);
    await expect
      .poll(async () => {
        const { parts } = await readinessOf(api.url);
        return { parts, reasons: Object.fromEntries(logged) };
      })
      .toEqual({
        parts: { postgres: 'down', redis: 'down', temporal: 'down', blobs: 'up' },
        reasons: { postgres: expected, redis: expected, temporal: expected },
      });
    await expect(openIdleWorkers(config)).rejects.toThrow(reason);
    expect(await administer(config, ['workspace', 'list']).catch(explainFailure)).toContain(reason);
    await expect(migrate(config.DATABASE_URL)).rejects.toThrow(reason);
    await expect(runDbmate(config.DATABASE_URL)).rejects.toThrow('dbmate exited');
    expect(gate.calls).toEqual([]);
  });
});

describe('PostgreSQL and Redis that require a client certificate', () => {
  const pair = { REDIS_CERT_FILE: client.certificateFile, REDIS_KEY_FILE: client.keyFile };
  const withPair = `${postgres.url}?sslcert=${client.certificateFile}&sslkey=${client.keyFile}`;

  test.each([
    ['accept the configured certificate', { ...pair, DATABASE_URL: withPair }, 'ready', ['up', 'up']],
    ['refuse a client without one', {}, 'reconnecting', ['down', 'down']],
  ])('%s', async (_what, settings, redisStatus, states) => {
    await Promise.all([redis.start(valid.server, client.caFile), postgres.start(valid.server, client.caFile)]);
    const { handles, close } = openHandles(
      readConfig(testEnvironment({ ...tlsSettings(plainEngine, valid.trusted), ...settings })),
    );
    onTestFinished(close);
    const stateOf = (check: Promise<unknown>) =>
      check.then(
        () => 'up',
        () => 'down',
      );
    await expect.poll(() => handles.redis.status).toBe(redisStatus);
    await expect.poll(() => Promise.all([stateOf(checkDb(handles.db)), stateOf(handles.redis.ping())])).toEqual(states);
  });
});

describe('TLS connections to Temporal', () => {
  const trust = { TEMPORAL_TLS_CA_FILE: valid.trusted };
  const pairOf = ({ certificateFile, keyFile }: Certificates) => ({
    TEMPORAL_TLS_CERT_FILE: certificateFile,
    TEMPORAL_TLS_KEY_FILE: keyFile,
  });
  const mutual: TlsEngineOptions = { clientCaFile: client.caFile };

  test.each<[string, Certificates, TlsEngineOptions, Record<string, string>]>([
    ['a client certificate', valid.server, mutual, { ...trust, ...pairOf(client) }],
    ['an API key', valid.server, { apiKey }, { ...trust, TEMPORAL_API_KEY: apiKey }],
    [
      'a certificate for the configured server name',
      wrongName.server,
      {},
      { TEMPORAL_TLS_CA_FILE: wrongName.trusted, TEMPORAL_TLS_SERVER_NAME: 'other.example' },
    ],
  ])('with %s, a submission from the API is run by a worker', async (_what, server, options, settings) => {
    const gate = await openGate(server, options);
    const environment = { ...settings, TEMPORAL_ADDRESS: gate.address, WORKER_QUEUES: 'sandbox' };
    expect(await runSubmission(readConfig(testEnvironment(environment)))).toEqual(completedResult);
    expect(gate.calls).toEqual(callsOfApiAndWorker);
  });

  test.each<[string, TlsEngineOptions, Record<string, string>, string]>([
    ['no client certificate', mutual, trust, 'requires a client certificate'],
    [
      'a client certificate of another CA',
      mutual,
      { ...trust, ...pairOf(foreignClient) },
      'requires another client certificate',
    ],
    ['a wrong API key', { apiKey }, { ...trust, TEMPORAL_API_KEY: 'wrong' }, 'refused the API key'],
    ['no API key', { apiKey }, trust, 'refused the API key or found none'],
    ['only public CAs trusted', {}, { TEMPORAL_TLS: 'true' }, 'not signed by a trusted CA'],
  ])('with %s, neither the API nor a worker connects, and both log why', async (_what, options, settings, reason) => {
    const gate = await openGate(valid.server, options);
    const config = readConfig(testEnvironment({ ...settings, TEMPORAL_ADDRESS: gate.address }));
    const { handles, close } = openHandles(config);
    onTestFinished(close);
    const failure = await checkWorkflows(handles.workflows).catch(explainFailure);
    expect(failure).toContain(reason);
    await expect(openIdleWorkers(config)).rejects.toThrow(reason);
    expect(gate.calls).toEqual([]);
  });

  test('a connection fails, with the reason, if only Temporal or only the service uses TLS', async () => {
    const gate = await openGate(valid.server);
    const failureWith = async (settings: Record<string, string>) => {
      const { handles, close } = openHandles(readConfig(testEnvironment(settings)));
      onTestFinished(close);
      return checkWorkflows(handles.workflows).catch(explainFailure);
    };
    expect(await failureWith(trust)).toContain('does not use TLS');
    expect(await failureWith({ TEMPORAL_ADDRESS: gate.address })).toContain('expects TLS');
  });
});

function openIdleWorkers(config: Config) {
  const log = { debug() {}, info() {}, warn() {}, error() {} } as never;
  return openWorkers(config.TEMPORAL_ADDRESS, config.TEMPORAL_NAMESPACE, [], log, engineSecurityOf(config));
}
