import { sql } from 'kysely';
import type { Db } from '#platform/postgres/db.ts';

/** The table of one month. It is detached if dropping it was interrupted. */
type MonthTable = { name: string; parent: string; state: 'attached' | 'detaching' | 'detached' };

// The id of the advisory lock of the worker that drops months. The number is arbitrary.
const dropLock = 7_118_303;

/**
 * Drops the months before this moment that are empty. A month is detached concurrently: dropping a partition would hold
 * back every query of its table. Another worker that does this at the same time has the lock.
 */
export async function dropEmptyMonths(db: Db, before: Date): Promise<void> {
  await db.connection().execute(async (connection) => {
    const { rows } = await sql<{ isLocked: boolean }>`
      select pg_try_advisory_lock(${dropLock}::int) as "isLocked"`.execute(connection);
    if (!rows[0]?.isLocked) return;
    try {
      for (const tables of Map.groupBy(await findMonthTables(connection, before), ({ name }) =>
        name.slice(-7),
      ).values()) {
        if (!(await areEmpty(connection, tables))) continue;
        for (const table of tables) await dropTable(connection, table);
      }
    } finally {
      await sql`select pg_advisory_unlock(${dropLock}::int)`.execute(connection);
    }
  });
}

/** The tables of months that end before this moment, the oldest month first. */
async function findMonthTables(db: Db, before: Date): Promise<MonthTable[]> {
  const { rows } = await sql<MonthTable>`
    -- Materialized, so that no other name is read as a month.
    with tables as materialized (
      select c.oid, c.relname as name, parent
      from unnest(monthly_tables()) as parent
      join pg_class c on c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
        and c.relname ~ ('^' || parent || '_\\d{4}_\\d{2}$')
    )
    select name, parent,
      case when i.inhrelid is null then 'detached' when i.inhdetachpending then 'detaching' else 'attached' end as state
    from tables left join pg_inherits i on i.inhrelid = tables.oid
    where to_date(right(name, 7), 'YYYY_MM') + interval '1 month' <= ${before}::timestamptz at time zone 'UTC'
    order by right(name, 7)`.execute(db);
  return rows;
}

/**
 * Whether nothing is left of a month: a table whose month is missing while another one still has it could not take a row
 * that belongs to that month. Decisions do not count: without submissions, those of an earlier version are left over.
 */
async function areEmpty(db: Db, tables: MonthTable[]): Promise<boolean> {
  for (const { name } of tables.filter(({ parent }) => parent !== 'issue_decisions')) {
    const { rows } = await sql`select from ${sql.table(name)} limit 1`.execute(db);
    if (rows.length > 0) return false;
  }
  return true;
}

async function dropTable(db: Db, { name, parent, state }: MonthTable): Promise<void> {
  const [table, month] = [sql.table(parent), sql.table(name)];
  if (state === 'attached') await sql`alter table ${table} detach partition ${month} concurrently`.execute(db);
  if (state === 'detaching') await sql`alter table ${table} detach partition ${month} finalize`.execute(db);
  await sql`drop table ${month}`.execute(db);
}
