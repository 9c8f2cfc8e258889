import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { allParts, up } from '../../stack/control.ts';
import { environmentOf, openInstance } from '../../stack/instance.ts';
import { dropDatabase, makeDatabase } from './make-database.ts';

const bundler = join(import.meta.dirname, '..', '..', 'apps', 'server', 'bundle-workflows.ts');

/** The real parts, on ports of their own, with a database that is made anew for every run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const instance = openInstance('test');
  execFileSync(process.execPath, [bundler], { stdio: 'inherit' });
  await up(instance, allParts);
  const environment = environmentOf(instance);
  const serverUrl = environment.DATABASE_URL as string;
  const databaseUrl = await makeDatabase(serverUrl, databaseName);
  project.provide('environment', { ...environment, DATABASE_URL: databaseUrl });
  return () => dropDatabase(serverUrl, databaseName);
}

// Of this run alone: two may go on at once.
const databaseName = `assay_test_${process.pid}`;

declare module 'vitest' {
  interface ProvidedContext {
    environment: Record<string, string>;
  }
}
