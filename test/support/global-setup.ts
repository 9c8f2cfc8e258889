import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { migrate } from '@assay/server/handles/migrate.ts';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { environmentOf, openInstance } from '../../stack/instance.ts';

const root = join(import.meta.dirname, '..', '..');

/** The real parts, on ports of their own, with a database that is made anew for every run. */
export async function setup(project: TestProject): Promise<void> {
  execFileSync(process.execPath, [join(root, 'stack', 'main.ts'), 'up', '--instance', 'test'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const environment = environmentOf(openInstance('test'));
  const databaseUrl = await makeDatabase(environment.DATABASE_URL as string, 'assay_test');
  await migrate(databaseUrl);
  project.provide('environment', { ...environment, DATABASE_URL: databaseUrl });
}

async function makeDatabase(serverUrl: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`drop database if exists ${name} with (force)`);
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

declare module 'vitest' {
  interface ProvidedContext {
    environment: Record<string, string>;
  }
}
