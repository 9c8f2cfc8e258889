import { describe, expect, test } from 'vitest';
import { rules } from './rules.ts';
import { specFiles } from './samples/all-files.ts';
import { examineSpecFile } from './samples/examine-spec-file.ts';

/** The whole set takes minutes: `pnpm bench delivery-spec` checks all of it, this test every seventh file. */
const every = 7;
const checked = specFiles.filter((_, i) => i % every === 0);

describe('the labelled set of delivery files', () => {
  test('has at least 150 files, each wrong in at most one property, and covers every rule', () => {
    expect(specFiles.length).toBeGreaterThanOrEqual(150);
    expect(new Set(specFiles.map(({ name }) => name)).size).toBe(specFiles.length);
    const codes = specFiles.flatMap(({ wrong }) => wrong ?? []);
    expect(new Set(codes)).toEqual(new Set(Object.keys(rules)));
    expect(specFiles.length - codes.length).toBeGreaterThanOrEqual(15);
  });

  test.each(checked.map((recipe) => [recipe.name, recipe] as const))('is judged correctly: “%s”', async (_, recipe) => {
    const found = await examineSpecFile(recipe);
    expect(found.map(({ ruleCode }) => ruleCode)).toEqual(recipe.wrong ? [recipe.wrong] : []);
  });
});
