import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@assay/testing/run/root.ts';
import { describe, expect, test } from 'vitest';
import { describeConformance, isOpenStatement, readClaims } from './claims.ts';
import { decisions } from './decisions.ts';
import { statements } from './statements.ts';

const claims = readClaims();
const claimedStatements = new Set(claims.map(({ id }) => id));

describe('conformance with the interface', () => {
  test('every statement that is not marked as open has a test', () => {
    const bare = Object.entries(statements).filter(
      ([id, statement]) => !isOpenStatement(statement) && !claimedStatements.has(id),
    );
    expect(bare.map(([id, statement]) => `§${id} ${statement}`)).toEqual([]);
  });

  test('every decision has a test', () => {
    expect(Object.keys(decisions).filter((id) => !claimedStatements.has(id))).toEqual([]);
  });

  test('no statement that has a test is marked as open', () => {
    expect(
      Object.entries(statements).filter(([id, statement]) => isOpenStatement(statement) && claimedStatements.has(id)),
    ).toEqual([]);
  });

  test('no test names a statement that does not exist', () => {
    expect(claims.filter(({ id }) => !(id in statements || id in decisions))).toEqual([]);
  });

  test('every section of the interface has statements', () => {
    const sections = '0 1 2 2.1 2.2 2.3 2.4 2.5 3 4 4.1 4.2 4.3 4.4 4.5 4.6 4.7 4.8 4.9 4.10 4.11 5 6 7 8.1 8.2 8.3 9';
    const present = new Set(Object.keys(statements).map((id) => id.replace(/[a-z]$/, '')));
    expect(sections.split(' ').filter((section) => !present.has(section))).toEqual([]);
  });

  test('docs/conformance.md matches the tests (to update it, run pnpm conformance)', () => {
    const written = readFileSync(join(root, 'docs', 'conformance.md'), 'utf8');
    expect(written).toBe(describeConformance(claims));
  });
});
