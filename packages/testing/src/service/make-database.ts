import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '@assay/server/platform/postgres/migrate.ts';
import { databaseOwner, serviceRole } from '@assay/stack/instance.ts';
import pg from 'pg';
import { root } from '../run/root.ts';

const insufficientPrivilege = '42501';
const duplicateDatabase = '42P04';

/** The same database, as the role that owns the tables. URLs of the stack are those of the service's role. */
export const asOwner = (url: string): string => withUser(url, databaseOwner);
/** The same database, as the role that may do everything on the server. */
export const asSuperuser = (url: string): string => withUser(url, 'postgres');
const asService = (url: string): string => withUser(url, serviceRole);

/** Creates an empty, migrated database, replacing an existing one of this name, and returns its URL. */
export async function makeDatabase(serverUrl: string, name: string): Promise<string> {
  const templateUrl = await findTemplate(serverUrl);
  await dropDatabase(serverUrl, name);
  return copyDatabase(templateUrl, name);
}

/**
 * The URL of an empty, migrated database to copy. It is kept for later runs, because migrating takes much longer than
 * copying. Its name contains a hash of the migrations.
 */
export async function findTemplate(serverUrl: string): Promise<string> {
  const name = `${templatePrefix}${hashOfSchema()}`;
  const templates = await listTemplates(serverUrl);
  if (templates.includes(name)) return withDatabase(serverUrl, name);
  // The database gets its final name only when it is complete, so that another run cannot copy half of it.
  const scratch = `assay_making_template_${process.pid}`;
  await dropDatabase(serverUrl, scratch);
  const url = await createDatabase(serverUrl, scratch);
  await migrate(asOwner(url), asService(url));
  await runStatement(serverUrl, `alter database ${scratch} rename to ${name}`).catch((error: pg.DatabaseError) => {
    if (error.code !== duplicateDatabase) throw error;
    return dropDatabase(serverUrl, scratch); // another run has created the template in the meantime
  });
  for (const old of templates) await dropDatabase(serverUrl, old);
  return withDatabase(serverUrl, name);
}

const templatePrefix = 'assay_template_';
const migrations = join(root, 'apps', 'server', 'migrations');
const rights = join(root, 'apps', 'server', 'src', 'platform', 'postgres', 'service-role.ts');

/**
 * The hash of the migrations, of the rights of the service, and of the current month, because migrations create
 * partitions for the next months.
 */
function hashOfSchema(): string {
  const files = [...readdirSync(migrations).map((name) => join(migrations, name)), rights];
  const texts = files.map((file) => `${basename(file)}\n${readFileSync(file, 'utf8')}`);
  return hash('sha256', [new Date().toISOString().slice(0, 7), ...texts.toSorted()].join('\n')).slice(0, 16);
}

async function listTemplates(serverUrl: string): Promise<string[]> {
  const rows = await runStatement(serverUrl, `select datname from pg_database where datname like '${templatePrefix}%'`);
  return rows.map(({ datname }) => datname as string);
}

/** Creates a database without tables, and returns its URL. */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  await runStatement(serverUrl, `create database ${name}`);
  return withDatabase(serverUrl, name);
}

/** Copies a database, which nobody may use in the meantime, and returns the copy's URL. */
export async function copyDatabase(templateUrl: string, name: string): Promise<string> {
  const template = new URL(templateUrl).pathname.slice(1);
  await runStatement(withDatabase(templateUrl, 'postgres'), `create database ${name} template ${template}`);
  return withDatabase(templateUrl, name);
}

/** Drops a database. Waits while PostgreSQL's autovacuum uses it, because this role cannot terminate autovacuum. */
export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  for (;;) {
    try {
      await runStatement(serverUrl, `drop database if exists ${name} with (force)`);
      return;
    } catch (error) {
      if ((error as pg.DatabaseError).code !== insufficientPrivilege) throw error;
      await sleep(200);
    }
  }
}

function withUser(databaseUrl: string, role: string): string {
  const url = new URL(databaseUrl);
  url.username = role;
  return url.href;
}

/** The URL of another database on the same server. */
export function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function runStatement(serverUrl: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: asOwner(serverUrl) });
  await client.connect();
  const { rows } = await client.query(statement).finally(() => client.end());
  return rows;
}
