import type { Part } from '@assay/stack/part.ts';
import { postgres } from '@assay/stack/parts/postgres.ts';
import type pg from 'pg';

/** PostgreSQL with pg_stat_statements. Only for counting: it adds a small cost to every statement. */
export const countingPostgres: Part = {
  ...postgres,
  command: (instance) => {
    const command = postgres.command(instance);
    return { ...command, args: [...command.args, '-c', 'shared_preload_libraries=pg_stat_statements'] };
  },
};

/** The returned function counts the statements that the service has sent so far, including begin and commit. */
export async function openStatementCount(db: pg.Pool): Promise<() => Promise<number>> {
  await db.query('create extension pg_stat_statements');
  return async () => {
    const { rows } = await db.query<{ count: number }>(`
      select coalesce(sum(calls), 0)::int as count
      from pg_stat_statements join pg_database on pg_database.oid = dbid
      where userid = 'assay'::regrole and datname = current_database()`);
    return rows[0]?.count ?? 0;
  };
}
