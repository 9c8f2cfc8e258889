import { join } from 'node:path';
import { expect, test } from 'vitest';
import { check } from './checker.ts';
import { readHistory } from './history.ts';

test('the run that is kept holds against the invariants of today', () => {
  const invariants = check(readHistory(join(import.meta.dirname, 'results', 'history.jsonl.gz')));
  expect(invariants.filter(({ violations }) => violations.length > 0)).toEqual([]);
  // These are asked only of a run in which there was such a thing.
  expect(invariants.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'a file that kills its worker fails after three tries',
      'the same file has the same issues, in full',
    ]),
  );
});
