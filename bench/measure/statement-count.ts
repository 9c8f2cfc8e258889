import type { Part } from '@assay/stack/part.ts';
import { postgres } from '@assay/stack/parts/postgres.ts';
import type pg from 'pg';

/**
 * PostgreSQL with pg_stat_statements, which keeps enough of its log to count records. Only for counting: it adds a small
 * cost to every statement.
 */
export const countingPostgres: Part = {
  ...postgres,
  command: (instance) => {
    const command = postgres.command(instance);
    const settings = ['shared_preload_libraries=pg_stat_statements', 'wal_keep_size=4GB'];
    return { ...command, args: [...command.args, ...settings.flatMap((setting) => ['-c', setting])] };
  },
};

export async function openStatementCount(db: pg.Pool): Promise<() => Promise<{ service: number; engine: number }>> {
  await db.query('create extension pg_stat_statements');
  return async () => {
    // Includes begin and commit. The superuser who runs this query is not counted.
    const { rows } = await db.query(`
      select
        coalesce(sum(calls) filter (where datname = current_database()), 0)::int as service,
        coalesce(sum(calls) filter (where datname like 'temporal%'), 0)::int as engine
      from pg_stat_statements join pg_database on pg_database.oid = dbid
      where userid <> current_user::regrole`);
    return rows[0];
  };
}
