import pg from 'pg';

/** How many rows of the engine's own databases contain this word, in any column. */
export async function countInEngine(serverUrl: string, word: string): Promise<number> {
  let count = 0;
  for (const database of ['temporal', 'temporal_visibility']) {
    const url = new URL(serverUrl);
    url.pathname = `/${database}`;
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    try {
      const { rows: columns } = await client.query(
        `select table_name, column_name, data_type from information_schema.columns
         where table_schema = 'public' and data_type in ('bytea', 'text', 'character varying', 'jsonb')`,
      );
      for (const { table_name, column_name, data_type } of columns) {
        const bytes = data_type === 'bytea' ? `"${column_name}"` : `convert_to("${column_name}"::text, 'UTF8')`;
        const { rows } = await client.query(
          `select count(*)::int as found from "${table_name}" where position(convert_to($1, 'UTF8') in ${bytes}) > 0`,
          [word],
        );
        count += rows[0].found;
      }
    } finally {
      await client.end();
    }
  }
  return count;
}
