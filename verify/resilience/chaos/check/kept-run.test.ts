import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { check } from './checker.ts';
import { readHistory } from './history.ts';

const results = join(import.meta.dirname, '..', 'results');

test('the recorded run satisfies the current invariants', () => {
  const parts = globSync('{,part-*/}history.jsonl.gz', { cwd: results });
  const invariants = parts.flatMap((file) => check(readHistory(join(results, file))));
  expect(invariants.filter(({ violations }) => violations.length > 0)).toEqual([]);
  // These are checked only in runs that contain such a thing.
  expect(invariants.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'a file that kills its worker fails after three tries',
      'the same file has the same issues, in full',
    ]),
  );
});
