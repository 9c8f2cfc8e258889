import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '@assay/server/platform/postgres/migrate.ts';
import pg from 'pg';
import { root } from '../run/root.ts';

const insufficientPrivilege = '42501';
const duplicateDatabase = '42P04';

/** Creates an empty, migrated database, and drops an existing one of this name first; returns its URL. */
export async function makeDatabase(serverUrl: string, name: string): Promise<string> {
  const templateUrl = await findTemplate(serverUrl);
  await dropDatabase(serverUrl, name);
  return copyDatabase(templateUrl, name);
}

/**
 * The URL of an empty, migrated database to copy. The server keeps it for later runs: migrating takes much longer than
 * copying. Its name contains the hash of the migrations.
 */
export async function findTemplate(serverUrl: string): Promise<string> {
  const name = `${templatePrefix}${hashOfSchema()}`;
  const templates = await listTemplates(serverUrl);
  if (templates.includes(name)) return atDatabase(serverUrl, name);
  // Renamed when complete: another run must not copy half of it.
  const scratch = `assay_making_template_${process.pid}`;
  await dropDatabase(serverUrl, scratch);
  await migrate(await createDatabase(serverUrl, scratch));
  await query(serverUrl, `alter database ${scratch} rename to ${name}`).catch((error: pg.DatabaseError) => {
    if (error.code !== duplicateDatabase) throw error;
    return dropDatabase(serverUrl, scratch); // another run was faster
  });
  for (const old of templates) await dropDatabase(serverUrl, old);
  return atDatabase(serverUrl, name);
}

const templatePrefix = 'assay_template_';
const migrations = join(root, 'apps', 'server', 'migrations');

/** The migrations, and the month: they create partitions for the coming months. */
function hashOfSchema(): string {
  const texts = readdirSync(migrations).map((file) => `${file}\n${readFileSync(join(migrations, file), 'utf8')}`);
  return hash('sha256', [new Date().toISOString().slice(0, 7), ...texts.toSorted()].join('\n')).slice(0, 16);
}

async function listTemplates(serverUrl: string): Promise<string[]> {
  const rows = await query(serverUrl, `select datname from pg_database where datname like '${templatePrefix}%'`);
  return rows.map(({ datname }) => datname as string);
}

/** Creates a database without tables; returns its URL. */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  await query(serverUrl, `create database ${name}`);
  return atDatabase(serverUrl, name);
}

/** Copies a database, which must not be in use meanwhile; returns the copy's URL. */
export async function copyDatabase(templateUrl: string, name: string): Promise<string> {
  const template = new URL(templateUrl).pathname.slice(1);
  await query(atDatabase(templateUrl, 'postgres'), `create database ${name} template ${template}`);
  return atDatabase(templateUrl, name);
}

/** Waits while PostgreSQL's autovacuum works in it: that process cannot be terminated from here, but ends by itself. */
export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  for (;;) {
    try {
      await query(serverUrl, `drop database if exists ${name} with (force)`);
      return;
    } catch (error) {
      if ((error as pg.DatabaseError).code !== insufficientPrivilege) throw error;
      await sleep(200);
    }
  }
}

function atDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function query(serverUrl: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  const { rows } = await client.query(statement).finally(() => client.end());
  return rows;
}
