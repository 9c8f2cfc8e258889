import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { databaseOwner, type Instance, serviceRole } from '../instance.ts';
import type { Part } from '../part.ts';

const programs = '/usr/lib/postgresql/15/bin';
const dataDir = (instance: Instance) => join(instance.dir, 'postgres');

export const postgres: Part = {
  name: 'postgres',
  stopSignal: 'SIGINT', // PostgreSQL's "fast" shutdown: end sessions, write everything, exit
  address: ({ ports }) => `127.0.0.1:${ports.postgres}`,

  async prepare(instance) {
    const data = dataDir(instance);
    if (existsSync(join(data, 'PG_VERSION'))) return;
    const user = serverUser();
    rmSync(data, { recursive: true, force: true });
    mkdirSync(data, { mode: 0o700 });
    if (user) {
      chownSync(data, user.uid, user.gid);
      assertReachable(data);
    }
    const passwordFile = join(instance.dir, 'postgres.password');
    writeFileSync(passwordFile, instance.secrets.postgresPassword, { mode: 0o600 });
    if (user) chownSync(passwordFile, user.uid, user.gid);
    execFileSync(
      join(programs, 'initdb'),
      [
        '-D',
        data,
        '-U',
        'postgres',
        '-A',
        'scram-sha-256',
        `--pwfile=${passwordFile}`,
        '-E',
        'UTF8',
        '--locale=C.UTF-8',
      ],
      { ...user, stdio: ['ignore', 'ignore', 'inherit'], cwd: '/' },
    );
    rmSync(passwordFile);
  },

  command: (instance) => ({
    program: join(programs, 'postgres'),
    args: [
      ['-D', dataDir(instance)],
      ['-p', String(instance.ports.postgres)],
      ['-h', '127.0.0.1'],
      ['-c', 'unix_socket_directories='],
      ['-c', 'max_connections=300'],
      ['-c', 'shared_buffers=256MB'],
      // Test data need not survive a power failure. On a busy disk a commit can take seconds, which the service
      // correctly answers with 502; so can creating or dropping a test's database.
      ...(instance.name === 'test' ? [['-c', 'fsync=off']] : []),
    ].flat(),
    user: serverUser(),
  }),

  readVersion: (instance) =>
    asSuperuser(instance, 'postgres', async (client) => {
      const { rows } = await client.query('show server_version');
      return rows[0].server_version.split(' ')[0];
    }),

  // CREATEDB: Temporal's schema tool creates its two databases itself, and tests create theirs. To drop one that the
  // service uses, the owner needs to be a member of the service's role. `migrate` grants the service its rights.
  provision: (instance) =>
    asSuperuser(instance, 'postgres', async (client) => {
      const { rows } = await client.query(`select rolname from pg_roles`);
      const isThere = (role: string) => rows.some(({ rolname }) => rolname === role);
      const password = client.escapeLiteral(instance.secrets.postgresPassword);
      if (!isThere(databaseOwner))
        await client.query(`create role ${databaseOwner} login createdb password ${password}`);
      if (!isThere(serviceRole)) {
        await client.query(`create role ${serviceRole} login password ${password}`);
        await client.query(`grant ${serviceRole} to ${databaseOwner}`);
      }
      const database = await client.query(`select from pg_database where datname = 'assay'`);
      if (database.rowCount === 0) await client.query(`create database assay owner ${databaseOwner}`);
    }),
};

async function asSuperuser<T>(
  instance: Instance,
  database: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port: instance.ports.postgres,
    user: 'postgres',
    password: instance.secrets.postgresPassword,
    database,
    connectionTimeoutMillis: 2000,
    query_timeout: 5000,
  });
  client.on('error', () => {}); // a connection lost during a query is reported by the query itself
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

// PostgreSQL refuses to run as root, so as root it is started as the OS user that Debian's package created.
function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

function assertReachable(folder: string): void {
  try {
    execFileSync('test', ['-w', folder], { ...serverUser(), cwd: '/' });
  } catch (cause) {
    throw new Error(
      `the OS user postgres cannot reach ${folder}: make the folders above it searchable (chmod o+x), ` +
        'or set ASSAY_STACK_DIR to a folder that it can reach, such as one under /var/tmp',
      { cause },
    );
  }
}
