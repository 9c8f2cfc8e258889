import { migrate } from '@assay/server/handles/migrate.ts';
import pg from 'pg';

/** A migrated database of this name on this server, empty however the last run left it; returns where it is. */
export async function makeDatabase(serverUrl: string, name: string): Promise<string> {
  await dropDatabase(serverUrl, name);
  await asOwner(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await migrate(url.href);
  return url.href;
}

export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  await asOwner(serverUrl, `drop database if exists ${name} with (force)`);
}

async function asOwner(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
