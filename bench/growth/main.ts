import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Part } from '@assay/stack/part.ts';
import { postgres } from '@assay/stack/parts/postgres.ts';
import {
  asOwner,
  asSuperuser,
  createDatabase,
  dropDatabase,
  withDatabase,
} from '@assay/testing/service/make-database.ts';
import pg from 'pg';
import { openBenchStack } from '../measure/bench-stack.ts';
import { publish } from '../measure/conclude.ts';
import { fill } from './fill.ts';
import { fillLater } from './fill-later.ts';
import { measureOperations } from './measure-operations.ts';
import { type MigrationResult, migrateToFirstVersion, migrateUnderLoad } from './migrations.ts';
import { reportPlans } from './plans.ts';
import { formatReport, type Grown } from './report.ts';
import { measureSizes } from './sizes.ts';

/**
 * `pnpm growth [--submissions <count>] [--small <count>] [--keep] [--reuse] [--write]`: fills two databases, migrates them
 * under load, and compares what each operation reads. Takes about half an hour and 20 GB of disk. `--keep` keeps the
 * databases, and `--reuse` measures the operations on those of an earlier run.
 */
const { values } = parseArgs({
  options: {
    submissions: { type: 'string', default: '5000000' },
    small: { type: 'string', default: '10000' },
    keep: { type: 'boolean', default: false },
    reuse: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
if (values.reuse && values.write)
  throw new Error('--write needs a whole run: without migrations the report is not whole');

/** Room for bulk loading; the service's statements are the same. */
const growthPostgres: Part = {
  ...postgres,
  command: (instance) => {
    const command = postgres.command(instance);
    return { ...command, args: [...command.args, '-c', 'max_wal_size=8GB', '-c', 'maintenance_work_mem=512MB'] };
  },
};

async function main(): Promise<boolean> {
  const stack = await openBenchStack([growthPostgres]);
  const serverUrl = stack.environment.DATABASE_URL as string;
  const names = { small: 'assay_growth_small', large: 'assay_growth_large' };
  try {
    const grow = async (name: string, submissions: number): Promise<Grown> => {
      console.log(`${name}: ${submissions} submissions`);
      if (!values.reuse) await dropDatabase(serverUrl, name);
      const url = values.reuse ? withDatabase(serverUrl, name) : await createDatabase(serverUrl, name);
      const superuser = new pg.Client({ connectionString: asSuperuser(url) });
      superuser.on('error', (error) => console.error(error.message)); // after a failure, its database is dropped
      await superuser.connect();
      try {
        const migrations = values.reuse ? [] : await makeDatabase(url, superuser, submissions);
        await reportPlans(superuser, name);
        const costs = await measureOperations(url, superuser);
        return { submissions, migrations, costs, sizes: await measureSizes(superuser, submissions) };
      } finally {
        await superuser.end();
      }
    };
    const small = await grow(names.small, Number(values.small));
    const large = await grow(names.large, Number(values.submissions));
    const { text, isReached } = formatReport(small, large, {
      postgres: await stack.versionOf(growthPostgres),
      command: ['pnpm growth', ...process.argv.slice(2)].join(' '),
    });
    publish(text, process.argv.slice(2), 'growth/growth.md');
    if (values.write) writeSizes(large);
    return isReached;
  } finally {
    if (!values.keep && !values.reuse) for (const name of Object.values(names)) await dropDatabase(serverUrl, name);
    await stack.close();
  }
}

async function makeDatabase(url: string, superuser: pg.Client, submissions: number): Promise<MigrationResult[]> {
  await migrateToFirstVersion(asOwner(url));
  await setSync(superuser, 'off');
  await fill(superuser, submissions);
  await superuser.query('vacuum analyze');
  await setSync(superuser, 'on');
  const migrations = await migrateUnderLoad(url, superuser);
  await fillLater(superuser);
  await superuser.query('vacuum analyze');
  return migrations;
}

/** `pnpm scale` reads the sizes. */
function writeSizes({ submissions, sizes }: Grown): void {
  const { bytesPerSubmission, bytesPerNewSubmission } = sizes;
  const date = new Date().toISOString().slice(0, 10);
  const measured = { date, command: 'pnpm growth --write', submissions, bytesPerSubmission, bytesPerNewSubmission };
  writeFileSync(join(import.meta.dirname, 'growth.json'), `${JSON.stringify(measured, null, 2)}\n`);
}

/** Filling need not survive a power failure; migrations are measured as they run in production. */
async function setSync(superuser: pg.Client, value: 'on' | 'off'): Promise<void> {
  await superuser.query(`alter system set fsync = ${value}`);
  await superuser.query('select pg_reload_conf()');
  if (value === 'on') await superuser.query('checkpoint');
}

process.exitCode = (await main()) ? 0 : 1;
