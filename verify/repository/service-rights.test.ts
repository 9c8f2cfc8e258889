import { tableRights } from '@assay/server/platform/postgres/service-role.ts';
import { expect, test } from 'vitest';
import { serverSources, textOf } from './sources.ts';

/** How a store writes to a table: the first group is its name. */
const writes = {
  insert: [/insertInto\('(\w+)'/g, /\binsert into (\w+)/g],
  update: [
    /updateTable\('(\w+)'/g,
    /\bupdate (\w+)(?: \w+)?\s+set\b/g,
    /insertInto\('(\w+)'\)(?:(?!;\n).)*doUpdateSet/gs,
    /\binsert into (\w+)(?:(?!`).)*\bdo update\b/gs,
  ],
  delete: [/deleteFrom\('(\w+)'/g, /\bdelete from (\w+)/g],
} as const;
type Write = keyof typeof writes;

/** Tables that a statement does not name as a literal. */
const byParameter = ['update runs_to_start', 'update runs_to_cancel']; // claimOldest in submissions/runs/run-store.ts
/** What triggers of `blobs` and `workspaces` do with the rights of the service, whose statements lock the same rows. */
const byTrigger = ['insert storage_totals', 'update storage_totals'];
/** Rights that only the previous version uses, such as `delete assets`. Remove them in the version after this one. */
const usedByPreviousVersion: string[] = [];

test('the service has exactly the rights to write that its statements need', () => {
  const texts = serverSources.filter((file) => file.endsWith('store.ts')).map((file) => textOf.get(file) ?? '');
  const needed = Object.entries(writes).flatMap(([right, patterns]) =>
    texts.flatMap((text) =>
      patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, table]) => `${right} ${table}`)),
    ),
  );
  const granted = Object.entries(tableRights).flatMap(([table, rights]) =>
    rights.filter((right): right is Write => right !== 'select').map((right) => `${right} ${table}`),
  );
  expect([...new Set([...needed, ...byParameter, ...byTrigger, ...usedByPreviousVersion])].sort()).toEqual(
    granted.sort(),
  );
});
