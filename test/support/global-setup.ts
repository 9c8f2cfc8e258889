import type { TestProject } from 'vitest/node';
import { allParts, up } from '../../stack/control.ts';
import { environmentOf, openInstance } from '../../stack/instance.ts';
import { makeDatabase } from './make-database.ts';

/** The real parts, on ports of their own, with a database that is made anew for every run. */
export async function setup(project: TestProject): Promise<void> {
  const instance = openInstance('test');
  await up(instance, allParts);
  const environment = environmentOf(instance);
  const databaseUrl = await makeDatabase(environment.DATABASE_URL as string, 'assay_test');
  project.provide('environment', { ...environment, DATABASE_URL: databaseUrl });
}

declare module 'vitest' {
  interface ProvidedContext {
    environment: Record<string, string>;
  }
}
