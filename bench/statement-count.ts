import type pg from 'pg';
import type { Part } from '../stack/part.ts';
import { postgres } from '../stack/parts/postgres.ts';

/** PostgreSQL that counts what it is asked. Only for counting: it costs a little with every statement. */
export const countingPostgres: Part = {
  ...postgres,
  command: (instance) => {
    const command = postgres.command(instance);
    return { ...command, args: [...command.args, '-c', 'shared_preload_libraries=pg_stat_statements'] };
  },
};

export async function openStatementCount(db: pg.Pool): Promise<() => Promise<{ service: number; engine: number }>> {
  await db.query('create extension pg_stat_statements');
  return async () => {
    // Transactions' begin and commit are statements too. Whoever asks here is a superuser and does not count.
    const { rows } = await db.query(`
      select
        coalesce(sum(calls) filter (where datname = current_database()), 0)::int as service,
        coalesce(sum(calls) filter (where datname like 'temporal%'), 0)::int as engine
      from pg_stat_statements join pg_database on pg_database.oid = dbid
      where userid = 'assay'::regrole`);
    return rows[0];
  };
}
