import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startAgain } from '@assay/stack/control.ts';
import { installPackages } from '@assay/stack/install-packages.ts';
import { environmentOf, type Instance, openInstance, serviceRole } from '@assay/stack/instance.ts';
import type { Part } from '@assay/stack/part.ts';
import { postgres } from '@assay/stack/parts/postgres.ts';
import { stopProcess } from '@assay/stack/process.ts';
import { freePort } from '@assay/testing/faults/own-process.ts';
import { asOwner } from '@assay/testing/service/make-database.ts';
import pg from 'pg';
import { openFolder, openS3 } from './repository.ts';

/** Starts a separate PostgreSQL cluster that archives to a pgBackRest repository, in a folder or in S3. */
export async function openArchivedCluster(repositoryKind: 'folder' | 's3') {
  installPackages('pgbackrest');
  const dir = mkdtempSync(join(tmpdir(), 'assay-drill-'));
  chmodSync(dir, 0o755); // PostgreSQL runs as a separate OS user
  const { secrets, ports, ...rest } = openInstance('faults');
  const instance: Instance = { ...rest, secrets, dir, ports: { ...ports, postgres: await freePort() } };
  const { user } = postgres.command(instance);
  const configFile = join(dir, 'pgbackrest.conf');
  const dataDir = join(dir, 'postgres');
  for (const name of ['repository', 'socket', 'log', 'lock', 'spool']) makeFolder(join(dir, name), user);
  const repository = repositoryKind === 's3' ? await openS3(instance) : openFolder(join(dir, 'repository'));
  writeFileSync(configFile, formatConfig(dir, instance.ports.postgres, repository.settings));

  const settings = {
    unix_socket_directories: join(dir, 'socket'),
    archive_mode: 'on',
    archive_command: `pgbackrest --config=${configFile} --stanza=assay archive-push %p`,
    archive_timeout: '60',
  };
  const part: Part = {
    ...postgres,
    command: (of) => {
      const { args, ...command } = postgres.command(of);
      return { ...command, args: [...args, ...Object.entries(settings).flatMap((pair) => ['-c', pair.join('=')])] };
    },
  };
  const pgbackrest = (...args: string[]) =>
    execFileSync('pgbackrest', [`--config=${configFile}`, '--stanza=assay', ...args], {
      ...user,
      cwd: '/',
      encoding: 'utf8',
      env: { PATH: process.env.PATH, PGPASSWORD: secrets.postgresPassword },
    });

  const url = environmentOf(instance).DATABASE_URL as string;
  const superuserUrl = url.replace(`//${serviceRole}:`, '//postgres:');
  const ask = async (text: string) => (await queryAt(superuserUrl, text))[0]?.answer;

  await postgres.prepare?.(instance);
  await startAgain(instance, part);
  await postgres.provision?.(instance);
  pgbackrest('stanza-create');
  return {
    url,
    query: <T extends pg.QueryResultRow>(text: string, values?: unknown[]) => queryAt<T>(asOwner(url), text, values),
    backUp: () => pgbackrest('--type=full', 'backup'),
    check: () => pgbackrest('check'),
    bytes: async () => Number(await ask('select sum(pg_database_size(oid)) as answer from pg_database')),
    /** The time of PostgreSQL, in the format that a restore understands. */
    now: async () => (await ask(`select to_char(now(), 'YYYY-MM-DD HH24:MI:SS.USOF') as answer`)) as string,
    /** Waits until everything so far is in the repository: what is not archived is lost with the disk. */
    async archiveAll() {
      const segment = await ask('select pg_walfile_name(pg_switch_wal()) as answer');
      const isArchived = `select coalesce(last_archived_wal >= '${segment}', false) as answer from pg_stat_archiver`;
      while (!(await ask(isArchived))) await sleep(50);
    },
    /** Simulates the loss of the host with its disk. */
    async lose() {
      await stopProcess(instance, part.name, 'SIGKILL');
      await sleep(1000); // its child processes notice and exit
      rmSync(dataDir, { recursive: true });
      makeFolder(dataDir, user, 0o700);
    },
    restoreFiles: (time: string) => pgbackrest('--type=time', `--target=${time}`, '--target-action=promote', 'restore'),
    /** Starts PostgreSQL and waits until it has replayed everything up to the target. */
    async recover() {
      await startAgain(instance, part);
      while (await ask('select pg_is_in_recovery() as answer')) await sleep(50);
    },
    async close() {
      await stopProcess(instance, part.name, part.stopSignal);
      await repository.close();
      rmSync(dir, { recursive: true });
    },
  };
}

function makeFolder(folder: string, user: { uid: number; gid: number } | undefined, mode = 0o750): void {
  mkdirSync(folder, { mode });
  if (user) chownSync(folder, user.uid, user.gid);
}

function formatConfig(dir: string, port: number, repository: Record<string, string>): string {
  const sections = {
    global: {
      ...repository,
      'repo1-retention-full': 2,
      'compress-type': 'zst',
      'start-fast': 'y',
      'log-path': join(dir, 'log'),
      'lock-path': join(dir, 'lock'),
      'spool-path': join(dir, 'spool'),
    },
    assay: {
      'pg1-path': join(dir, 'postgres'),
      'pg1-port': port,
      'pg1-user': 'postgres',
      'pg1-socket-path': join(dir, 'socket'),
    },
  };
  return Object.entries(sections)
    .map(([name, settings]) => [`[${name}]`, ...Object.entries(settings).map((pair) => pair.join('='))].join('\n'))
    .join('\n\n');
}

async function queryAt<T extends pg.QueryResultRow>(
  connectionString: string,
  text: string,
  values: unknown[] = [],
): Promise<T[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client
    .query<T>(text, values)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}
