import { globSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@assay/testing/run/root.ts';
import { expect, test } from 'vitest';
import { exceptions, operations } from '#bench/growth/operations/all.ts';

// Stores of object storage do not use the database; the other functions send no statement.
const stores = globSync('apps/server/src/{admin,modules}/**/*store.ts', { cwd: root });
const withoutStatements = ['isPositionBefore', 'QuotaReached', 'selectSubmissions'];

test('every function of every store is measured on a large database', async () => {
  const modules = await Promise.all(stores.map((file) => import(join(root, file)) as Promise<Record<string, unknown>>));
  const functions = modules.flatMap((module) =>
    Object.keys(module).filter((name) => typeof module[name] === 'function' && !withoutStatements.includes(name)),
  );
  const measured = new Set(Object.keys(operations).map((name) => name.split(':')[0]));
  expect(functions.filter((name) => !measured.has(name))).toEqual([]);
  expect(Object.keys(exceptions).filter((name) => !operations[name])).toEqual([]);
});
