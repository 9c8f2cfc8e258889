import { type RawBuilder, type Selection, sql } from 'kysely';

/**
 * The row of a query that selects these columns (`status`, `d.status` or `issue_id as issueId`) of these tables.
 * `Narrowed` has the columns whose type is narrower than that of the database, such as text with few values.
 */
export type RowOf<
  Tables,
  Columns extends readonly string[],
  Narrowed extends { [Column in keyof Selection<Tables, keyof Tables, Columns[number]>]?: unknown },
> = Omit<Selection<Tables, keyof Tables, Columns[number]>, keyof Narrowed> & Narrowed;

/** Lists these columns in SQL. */
export function listColumns(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(
    columns.map((column) => {
      const [name, alias] = column.split(' as ') as [string, string | undefined];
      return alias ? sql`${sql.ref(name)} as ${sql.ref(alias)}` : sql.ref(name);
    }),
  );
}
