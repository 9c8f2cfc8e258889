import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '@assay/server/handles/migrate.ts';
import pg from 'pg';

const insufficientPrivilege = '42501';

/** A migrated database of this name on this server, empty however the last run left it; returns where it is. */
export async function makeDatabase(serverUrl: string, name: string): Promise<string> {
  await dropDatabase(serverUrl, name);
  const url = await createDatabase(serverUrl, name);
  await migrate(url);
  return url;
}

/** Without anything in it; returns where it is. */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  await asOwner(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** A database of its own that is like this one, which nobody may use meanwhile; returns where it is. */
export async function copyDatabase(templateUrl: string, name: string): Promise<string> {
  const url = new URL(templateUrl);
  const template = url.pathname.slice(1);
  url.pathname = '/postgres';
  await asOwner(url.href, `create database ${name} template ${template}`);
  url.pathname = `/${name}`;
  return url.href;
}

/** Waits while PostgreSQL itself cleans up in it: that process cannot be ended from here, and ends by itself. */
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
