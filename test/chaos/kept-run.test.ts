import { join } from 'node:path';
import { expect, test } from 'vitest';
import { check } from './checker.ts';
import { readHistory } from './history.ts';

test('the recorded run satisfies the current invariants', () => {
  const invariants = check(readHistory(join(import.meta.dirname, 'results', 'history.jsonl.gz')));
  expect(invariants.filter(({ violations }) => violations.length > 0)).toEqual([]);
  // These are checked only in runs that contain such a thing.
  expect(invariants.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'a file that kills its worker fails after three tries',
      'the same file has the same issues, in full',
    ]),
  );
});
