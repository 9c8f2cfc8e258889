import { describe, expect, test } from 'vitest';
import { rules } from './rules.ts';
import { specFiles } from './samples/all-files.ts';
import { examineSpecFile } from './samples/examine-spec-file.ts';

/** Checking all files takes minutes, so this test checks every seventh; `pnpm bench delivery-spec` checks them all. */
const fileStep = 7;
const checkedFiles = specFiles.filter((_, i) => i % fileStep === 0);

describe('the delivery-spec check', () => {
  test('has at least 150 sample files, each wrong in at most one property, and covers every rule', () => {
    expect(specFiles.length).toBeGreaterThanOrEqual(150);
    expect(new Set(specFiles.map(({ name }) => name)).size).toBe(specFiles.length);
    const codes = specFiles.flatMap(({ wrong }) => wrong ?? []);
    expect(new Set(codes)).toEqual(new Set(Object.keys(rules)));
    expect(specFiles.length - codes.length).toBeGreaterThanOrEqual(15);
  });

  test.each(checkedFiles.map((recipe) => [recipe.name, recipe] as const))(
    'judges the sample file “%s” correctly',
    async (_, recipe) => {
      const found = await examineSpecFile(recipe);
      expect(found.map(({ ruleCode }) => ruleCode)).toEqual(recipe.wrong ? [recipe.wrong] : []);
    },
  );
});
