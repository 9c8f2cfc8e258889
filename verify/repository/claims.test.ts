import { expect, test } from 'vitest';
import { serverSources, textOf } from './sources.ts';

test('a statement selects the rows that it locks once, with any plan', () => {
  // With `in`, PostgreSQL may select and lock again for each row of the outer table, also beyond the limit. An array is
  // selected once.
  const claim = /\bin \(\s*select\b[^`]*?\bfor (?:no key )?(?:update|share)\b/g;
  const wrong = serverSources.flatMap((file) =>
    [...(textOf.get(file) ?? '').matchAll(claim)].map(([statement]) => `${file}: ${statement.slice(0, 80)}`),
  );
  expect(wrong).toEqual([]);
});
