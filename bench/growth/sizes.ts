import type pg from 'pg';
import { contents } from './fill.ts';

export type Sizes = {
  databaseBytes: number;
  /** Tables with rows of every submission, with their indexes. */
  bytesPerSubmission: Record<string, number>;
  /** Tables with rows of the newest submissions only. */
  bytesPerNewSubmission: Record<string, number>;
};

const tables = ['submissions', 'assets', 'blobs', 'version_groups', 'asset_versions', 'credit_entries'];
const newTables = ['issues', 'events', 'deliveries'];

export async function measureSizes(superuser: pg.Client, submissions: number): Promise<Sizes> {
  const { rows } = await superuser.query<{ bytes: number; newCount: number }>(
    `select pg_database_size(current_database())::float8 as bytes, (
       select count(*)::int from made where at > now() - interval '${contents.newestMonths} months'
     ) as "newCount"`,
  );
  const { bytes, newCount } = rows[0] as { bytes: number; newCount: number };
  return {
    databaseBytes: bytes,
    bytesPerSubmission: await perRow(superuser, tables, submissions),
    bytesPerNewSubmission: await perRow(superuser, newTables, newCount),
  };
}

async function perRow(superuser: pg.Client, names: string[], count: number): Promise<Record<string, number>> {
  const { rows } = await superuser.query<{ name: string; bytes: number }>(
    // A table without partitions has no tree.
    `select name, (
       select coalesce(sum(pg_total_relation_size(relid)), pg_total_relation_size(name::regclass))
       from pg_partition_tree(name::regclass)
     )::float8 as bytes from unnest($1::text[]) as name`,
    [names],
  );
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, Math.round(bytes / count)]));
}
