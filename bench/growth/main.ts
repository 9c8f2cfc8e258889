import { parseArgs } from 'node:util';
import type { Part } from '@assay/stack/part.ts';
import { postgres } from '@assay/stack/parts/postgres.ts';
import { createDatabase, dropDatabase } from '@assay/testing/service/make-database.ts';
import pg from 'pg';
import { openBenchStack } from '../measure/bench-stack.ts';
import { publish } from '../measure/conclude.ts';
import { fill } from './fill.ts';
import { fillLater } from './fill-later.ts';
import { measureOperations } from './measure-operations.ts';
import { migrateToFirstVersion, migrateUnderLoad } from './migrations.ts';
import { reportPlans } from './plans.ts';
import { formatReport, type Grown } from './report.ts';

/**
 * `pnpm growth [--submissions <count>] [--small <count>] [--write]`: fills two databases, migrates them under load, and
 * compares what each operation reads. Takes about half an hour and 20 GB of disk.
 */
const { values } = parseArgs({
  options: {
    submissions: { type: 'string', default: '5000000' },
    small: { type: 'string', default: '10000' },
    write: { type: 'boolean', default: false },
  },
});

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
      await dropDatabase(serverUrl, name);
      const url = await createDatabase(serverUrl, name);
      const superuser = new pg.Client({ connectionString: stack.superuserUrlOf(url) });
      superuser.on('error', (error) => console.error(error.message)); // after a failure, its database is dropped
      await superuser.connect();
      try {
        console.log(`${name}: ${submissions} submissions`);
        await migrateToFirstVersion(url);
        await setSync(superuser, 'off');
        await fill(superuser, submissions);
        await superuser.query('vacuum analyze');
        await setSync(superuser, 'on');
        const migrations = await migrateUnderLoad(url, superuser);
        await fillLater(superuser);
        await superuser.query('vacuum analyze');
        await reportPlans(superuser, name);
        const costs = await measureOperations(url, superuser);
        const { rows } = await superuser.query('select pg_database_size($1)::float8 as bytes', [name]);
        return { submissions, migrations, costs, bytes: rows[0].bytes };
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
    return isReached;
  } finally {
    for (const name of Object.values(names)) await dropDatabase(serverUrl, name);
    await stack.close();
  }
}

/** Filling need not survive a power failure; migrations are measured as they run in production. */
async function setSync(superuser: pg.Client, value: 'on' | 'off'): Promise<void> {
  await superuser.query(`alter system set fsync = ${value}`);
  await superuser.query('select pg_reload_conf()');
  if (value === 'on') await superuser.query('checkpoint');
}

process.exitCode = (await main()) ? 0 : 1;
