import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { environmentOf, openInstance } from '../../stack/instance.ts';
import { makeDatabase } from './make-database.ts';

const root = join(import.meta.dirname, '..', '..');

/** The real parts, on ports of their own, with a database that is made anew for every run. */
export async function setup(project: TestProject): Promise<void> {
  execFileSync(process.execPath, [join(root, 'stack', 'main.ts'), 'up', '--instance', 'test'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const environment = environmentOf(openInstance('test'));
  const databaseUrl = await makeDatabase(environment.DATABASE_URL as string, 'assay_test');
  project.provide('environment', { ...environment, DATABASE_URL: databaseUrl });
}

declare module 'vitest' {
  interface ProvidedContext {
    environment: Record<string, string>;
  }
}
