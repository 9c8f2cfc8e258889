import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { check } from './checker.ts';
import { readHistory } from './history.ts';

const resultsFolder = join(import.meta.dirname, '..', 'results');

test('all recorded parts of the chaos run satisfy the current invariants', () => {
  const parts = globSync('{,part-*/}history.jsonl.gz', { cwd: resultsFolder });
  const invariants = parts.flatMap((file) => check(readHistory(join(resultsFolder, file))));
  expect(invariants.filter(({ violations }) => violations.length > 0)).toEqual([]);
  // These two are checked only in runs with deadly files and with issues that were read in full.
  expect(invariants.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'a file that kills its worker fails after three tries',
      'the same file has the same issues, in full',
    ]),
  );
});
