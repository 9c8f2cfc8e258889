import pg from 'pg';
import { asOwner, withDatabase } from './make-database.ts';

/**
 * Counts, for each word, the values in the engine's own databases that contain the word. Large tables are read only
 * once.
 */
export async function countInEngine(serverUrl: string, words: string[]): Promise<number[]> {
  const counts = words.map(() => 0);
  for (const database of ['temporal', 'temporal_visibility']) {
    // Temporal uses the same role.
    const client = new pg.Client({ connectionString: withDatabase(asOwner(serverUrl), database) });
    await client.connect();
    try {
      const { rows: tables } = await client.query(
        `select table_name, array_agg(format(
           case data_type when 'bytea' then '%I' else 'convert_to(%I::text, ''UTF8'')' end, column_name)) as columns
         from information_schema.columns
         where table_schema = 'public' and data_type in ('bytea', 'text', 'character varying', 'jsonb')
         group by table_name`,
      );
      for (const { table_name, columns } of tables) {
        const found = words.map(
          (_, i) => `count(*) filter (where position(convert_to($${i + 1}, 'UTF8') in bytes) > 0)::int`,
        );
        const { rows } = await client.query({
          text: `select ${found.join(', ')} from "${table_name}", unnest(array[${columns.join(', ')}]) as bytes`,
          values: words,
          rowMode: 'array',
        });
        for (const [i, count] of (rows[0] as number[]).entries()) counts[i] = (counts[i] as number) + count;
      }
    } finally {
      await client.end();
    }
  }
  return counts;
}
