import { migrate } from '@assay/server/handles/migrate.ts';
import pg from 'pg';

/** A migrated database of this name on this server, empty however the last run left it; returns where it is. */
export async function makeDatabase(serverUrl: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`drop database if exists ${name} with (force)`);
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await migrate(url.href);
  return url.href;
}
