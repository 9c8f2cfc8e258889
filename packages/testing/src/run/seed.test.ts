import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { root } from './root.ts';
import { describeSeed, readSeed } from './seed.ts';

afterEach(() => vi.unstubAllEnvs());

describe('the seed of a test suite', () => {
  test.each([
    ['', 7],
    ['0', 0],
    ['42', 42],
    ['2147483647', 2147483647],
  ])('is read from SEED=%s as %d', (text, expected) => {
    vi.stubEnv('SEED', text);
    expect(readSeed(7)).toBe(expected);
  });

  test.each(['-1', '1.5', '1e3', '2147483648', 'random'])('is rejected if SEED=%s', (text) => {
    vi.stubEnv('SEED', text);
    expect(() => readSeed(7)).toThrow(`not ${text}`);
  });

  test('is printed after a failure with the command that repeats the run', () => {
    expect(describeSeed(42, 'pnpm chaos')).toBe('The seed was 42. Repeat it with: SEED=42 pnpm chaos');
  });
});

test('no test imports fast-check directly, because it would not use SEED', () => {
  const files = globSync('{apps/*,packages/*,tools,verify}/**/*.test.{ts,tsx}', {
    cwd: root,
    exclude: (name) => name === 'node_modules' || name === 'dist',
  });
  expect(files.filter((file) => readFileSync(join(root, file), 'utf8').includes(`from ${"'fast-check'"}`))).toEqual([]);
});
