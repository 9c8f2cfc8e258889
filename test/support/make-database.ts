import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '@assay/server/handles/migrate.ts';
import pg from 'pg';

const insufficientPrivilege = '42501';

/** Creates an empty, migrated database, and drops an existing one of this name first; returns its URL. */
export async function makeDatabase(serverUrl: string, name: string): Promise<string> {
  await dropDatabase(serverUrl, name);
  const url = await createDatabase(serverUrl, name);
  await migrate(url);
  return url;
}

/** Creates a database without tables; returns its URL. */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  await asOwner(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Copies a database, which must not be in use meanwhile; returns the copy's URL. */
export async function copyDatabase(templateUrl: string, name: string): Promise<string> {
  const url = new URL(templateUrl);
  const template = url.pathname.slice(1);
  url.pathname = '/postgres';
  await asOwner(url.href, `create database ${name} template ${template}`);
  url.pathname = `/${name}`;
  return url.href;
}

/** Waits while PostgreSQL's autovacuum works in it: that process cannot be terminated from here, but ends by itself. */
export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  for (;;) {
    try {
      return await asOwner(serverUrl, `drop database if exists ${name} with (force)`);
    } catch (error) {
      if ((error as pg.DatabaseError).code !== insufficientPrivilege) throw error;
      await sleep(200);
    }
  }
}

async function asOwner(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
