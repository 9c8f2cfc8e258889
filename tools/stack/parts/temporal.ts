import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { cacheDir, type Instance, temporalNamespace } from '../instance.ts';
import type { Part } from '../part.ts';
import { registerNamespace } from '../provision/register-namespace.ts';
import { versionInSetup } from '../versions.ts';

const version = versionInSetup('TEMPORAL_VERSION');
const programs = join(cacheDir, `temporal-${version}`);
const settingsFile = join(import.meta.dirname, '..', 'temporal-settings.yaml');

// Cannot be changed in an existing database. 64 shards cost 25 ms of CPU per second when idle; production uses 512.
const shardsOf = ({ name }: Instance) => (name === 'test' || name === 'faults' ? 8 : 64);

export const temporal: Part = {
  name: 'temporal',
  stopSignal: 'SIGTERM',
  address: ({ ports }) => `127.0.0.1:${ports.temporal}`,

  async prepare(instance) {
    updateSchema(instance, 'temporal', 'temporal');
    updateSchema(instance, 'temporal_visibility', 'visibility');
  },

  command: (instance) => {
    const { ports, secrets } = instance;
    return {
      program: join(programs, 'temporal-server'),
      args: ['--allow-no-auth', 'start'],
      env: {
        DB: 'postgres12_pgx',
        POSTGRES_SEEDS: '127.0.0.1',
        DB_PORT: String(ports.postgres),
        POSTGRES_USER: 'assay',
        POSTGRES_PWD: secrets.postgresPassword,
        NUM_HISTORY_SHARDS: String(shardsOf(instance)),
        BIND_ON_IP: '127.0.0.1',
        DYNAMIC_CONFIG_FILE_PATH: settingsFile,
        LOG_LEVEL: 'warn',
        PROMETHEUS_ENDPOINT: `127.0.0.1:${ports.temporalMetrics}`,
        FRONTEND_GRPC_PORT: String(ports.temporal),
        FRONTEND_HTTP_PORT: String(ports.temporalHttp),
        HISTORY_GRPC_PORT: String(ports.temporalHistory),
        MATCHING_GRPC_PORT: String(ports.temporalMatching),
        WORKER_GRPC_PORT: String(ports.temporalWorker),
        FRONTEND_MEMBERSHIP_PORT: String(ports.temporalFrontendMembership),
        HISTORY_MEMBERSHIP_PORT: String(ports.temporalHistoryMembership),
        MATCHING_MEMBERSHIP_PORT: String(ports.temporalMatchingMembership),
        WORKER_MEMBERSHIP_PORT: String(ports.temporalWorkerMembership),
      },
    };
  },

  readVersion: (instance) =>
    withConnection(instance, async ({ workflowService }) => {
      const { serverVersion } = await workflowService.getSystemInfo({});
      return serverVersion;
    }),

  provision: (instance) => withConnection(instance, (connection) => registerNamespace(connection, temporalNamespace)),
};

async function withConnection<T>(instance: Instance, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({
    address: `127.0.0.1:${instance.ports.temporal}`,
    connectTimeout: 2000,
  });
  try {
    return await connection.withDeadline(Date.now() + 10_000, () => work(connection));
  } finally {
    await connection.close();
  }
}

// The tool contains the schema files. `create` and `setup-schema` fail on an existing database, unlike `update-schema`.
function updateSchema(instance: Instance, database: string, schema: string): void {
  const run = (...args: string[]) =>
    execFileSync(join(programs, 'temporal-sql-tool'), ['--db', database, ...args], {
      stdio: 'pipe',
      env: {
        SQL_PLUGIN: 'postgres12',
        SQL_HOST: '127.0.0.1',
        SQL_PORT: String(instance.ports.postgres),
        SQL_USER: 'assay',
        SQL_PASSWORD: instance.secrets.postgresPassword,
      },
    });
  try {
    run('create');
    run('setup-schema', '-v', '0.0');
  } catch (error) {
    const output =
      String((error as { stderr?: Buffer }).stderr ?? '') + String((error as { stdout?: Buffer }).stdout ?? '');
    if (!output.includes('already exists')) throw error;
  }
  run('update-schema', '--schema-name', `postgresql/v12/${schema}`);
}
