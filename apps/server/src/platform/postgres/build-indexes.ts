import type { Client } from 'pg';

export type WantedIndex = {
  name: string;
  table: string;
  /** What follows the name of the table. */
  definition: string;
};
type Part = {
  /** A partition without its part of the index. */
  partition: string;
  /** Its own index of this definition, if it has one. It is not valid if building it was interrupted. */
  twin: string | null;
  isValid: boolean | null;
};

/** Reads `indexes.sql`. */
export function parseIndexes(text: string): WantedIndex[] {
  const statements = text.replaceAll(/^--.*$/gm, '').split(';');
  return statements
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
    .filter(Boolean)
    .map((statement) => {
      const [, name, table, definition] =
        /^create index concurrently if not exists (\w+) on (\w+) (.+)$/.exec(statement) ?? [];
      if (!name || !table || !definition) throw new Error(`indexes.sql: unexpected form: ${statement}`);
      return { name, table, definition };
    });
}

/** The names of the indexes that are missing or not complete. */
export const unbuiltIndexes = `
  select name from unnest($1::text[]) as name
  where not exists (select from pg_index where indexrelid = to_regclass(name) and indisvalid)`;

/**
 * Builds an index while the table is used. It waits for older transactions, without a limit and without blocking others.
 * After an interruption, a repetition builds the rest. `briefly` runs a statement that blocks others while it waits.
 */
export async function buildIndex(
  client: Client,
  { name, table, definition }: WantedIndex,
  briefly: (statement: string) => Promise<unknown>,
): Promise<void> {
  const { rows } = await client.query(unbuiltIndexes, [[name]]);
  if (rows.length === 0) return;
  console.log(`Building the index ${name}`); // may take long: it waits for older transactions
  const { rows: tables } = await client.query(`select relkind from pg_class where oid = $1::regclass`, [table]);
  if (tables[0].relkind !== 'p') {
    await client.query(`drop index concurrently if exists ${name}`); // what an interrupted run has left
    await client.query(`create index concurrently ${name} on ${table} ${definition}`);
    return;
  }
  // PostgreSQL cannot build the index of a partitioned table concurrently, but can combine indexes of its partitions. A
  // partition that is attached from now on gets its own.
  await briefly(`create index if not exists ${name} on only ${table} ${definition}`);
  for (let part = await nextPart(client, name); part; part = await nextPart(client, name)) {
    if (part.isValid) {
      await briefly(`alter index ${name} attach partition ${part.twin}`);
    } else if (part.twin) {
      await client.query(`drop index concurrently ${part.twin}`);
    } else {
      // Without a name, so that PostgreSQL chooses the one that it gives to indexes of later partitions.
      await client.query(`create index concurrently on ${part.partition} ${definition}`);
    }
  }
}

async function nextPart(client: Client, name: string): Promise<Part | undefined> {
  const { rows } = await client.query<Part>(
    `
    select p.inhrelid::regclass::text as partition, twin.indexrelid::regclass::text as twin, twin.indisvalid as "isValid"
    from pg_index whole
    join pg_inherits p on p.inhparent = whole.indrelid
    left join pg_index twin on twin.indrelid = p.inhrelid
      and substring(pg_get_indexdef(twin.indexrelid) from ' USING .*')
        = substring(pg_get_indexdef(whole.indexrelid) from ' USING .*')
      and not exists (select from pg_inherits where inhrelid = twin.indexrelid)
    where whole.indexrelid = $1::regclass and not exists (
      select from pg_index part join pg_inherits on inhrelid = part.indexrelid
      where part.indrelid = p.inhrelid and inhparent = whole.indexrelid
    )
    order by p.inhrelid, twin.indisvalid desc limit 1`,
    [name],
  );
  return rows[0];
}
