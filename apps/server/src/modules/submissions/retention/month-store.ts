import { sql } from 'kysely';
import type { Db } from '#platform/postgres/db.ts';

/** Creates the partitions of this many months, beginning with the month of `first`. */
export async function makeMonths(db: Db, first: Date, count: number): Promise<void> {
  await sql`select make_months(${first}, ${count})`.execute(db);
}

/**
 * Drops the months before this moment that are empty, one table per transaction. No query waits for it: it fails if a
 * table is in use all the time, and the next call continues.
 */
export async function dropEmptyMonths(db: Db, before: Date): Promise<void> {
  while (await dropEmptyMonthTable(db, before));
}

async function dropEmptyMonthTable(db: Db, before: Date): Promise<boolean> {
  const { rows } = await sql<{ isDropped: boolean }>`
    select drop_empty_month_table(${before}) as "isDropped"`.execute(db);
  return rows[0]?.isDropped ?? false;
}
