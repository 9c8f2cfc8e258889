import { readFile, writeFile } from 'node:fs/promises';
import { examineFile } from '@assay/testing/media/examine.ts';
import { openMediaFolder } from '@assay/testing/media/video-source.ts';
import { describe, expect, test } from 'vitest';
import type { FindingWithRule } from '#sidekick/sidekick.ts';
import { rules } from './rules.ts';
import { cleanClips } from './samples/clean-clips.ts';
import type { ExpectedFinding, Recipe } from './samples/clip.ts';
import { clippedClips, silentClips, stereoClips } from './samples/faulty-audio.ts';
import { brokenFiles } from './samples/faulty-files.ts';
import { fieldClips, illegalClips, rangeClips, variableRateClips } from './samples/faulty-levels.ts';
import { blackClips, frozenClips } from './samples/faulty-video.ts';
import { shortList } from './samples/short-list.ts';
import { sidekick } from './sidekick.ts';

const concurrency = 2;
const mediaFolder = openMediaFolder('qc');
const faultyRecipes = [
  ...[...blackClips, ...frozenClips, ...illegalClips, ...rangeClips, ...fieldClips, ...variableRateClips],
  ...[...silentClips, ...clippedClips, ...stereoClips, ...brokenFiles],
];
/** Checking all clips takes minutes, so only those on the short list are checked unless `CLIPS=all` is set. */
const isChecked = ({ name }: Recipe) => process.env.CLIPS === 'all' || shortList.includes(name);
const checkedRecipes = { faulty: faultyRecipes.filter(isChecked), clean: cleanClips.filter(isChecked) };
const findingsByRecipe = new Map<Recipe, FindingWithRule[]>();
const remainingRecipes = [...checkedRecipes.faulty, ...checkedRecipes.clean].entries();
await Promise.all(
  Array.from({ length: concurrency }, async () => {
    for (const [i, recipe] of remainingRecipes)
      findingsByRecipe.set(recipe, await examine(recipe, `${i}.${recipe.extension}`));
  }),
);

async function examine(recipe: Recipe, filename: string): Promise<FindingWithRule[]> {
  const path = await mediaFolder.make(filename, ...recipe.args);
  if (recipe.keptShare || recipe.damagedBytes) await damage(path, recipe);
  return examineFile(sidekick, path);
}

async function damage(path: string, { keptShare = 1, damagedBytes = 0 }: Recipe): Promise<void> {
  const bytes = await readFile(path);
  const middle = Math.round(bytes.length / 2);
  bytes.fill(0xa5, middle, middle + damagedBytes);
  await writeFile(path, bytes.subarray(0, Math.round(bytes.length * keptShare)));
}

/** Replaces each finding by the expected finding whose times are about the same, if there is one. */
function matchExpected(
  findings: FindingWithRule[],
  expectedFindings: readonly ExpectedFinding[],
  toleranceMs: number,
): unknown[] {
  return findings.map(({ ruleCode, locations }, i) => {
    const [startMs, endMs] = [locations[0]?.startMs, locations.at(-1)?.endMs];
    const expected = expectedFindings[i];
    if (expected?.startMs === undefined || expected.endMs === undefined) return { ruleCode };
    const isNear = (value: number | undefined, to: number) =>
      value !== undefined && Math.abs(value - to) <= toleranceMs;
    const isExpected =
      ruleCode === expected.ruleCode && isNear(startMs, expected.startMs) && isNear(endMs, expected.endMs);
    return isExpected ? expected : { ruleCode, startMs, endMs };
  });
}
const byTime = (list: readonly ExpectedFinding[]) =>
  list.toSorted((a, b) => a.ruleCode.localeCompare(b.ruleCode) || (a.startMs ?? 0) - (b.startMs ?? 0));
const findingsOf = (recipe: Recipe) =>
  (findingsByRecipe.get(recipe) ?? []).toSorted(
    (a, b) => a.ruleCode.localeCompare(b.ruleCode) || (a.locations[0]?.startMs ?? 0) - (b.locations[0]?.startMs ?? 0),
  );

describe('the qc-picture-sound check', () => {
  test('has at least 120 faulty and 30 clean sample clips, and covers every rule', () => {
    expect(faultyRecipes.length).toBeGreaterThanOrEqual(120);
    expect(cleanClips.length).toBeGreaterThanOrEqual(30);
    const codesOf = (list: readonly Recipe[]) =>
      list.flatMap(({ expected }) => expected.map(({ ruleCode }) => ruleCode));
    const codes = codesOf(faultyRecipes);
    expect(new Set(codes)).toEqual(new Set(Object.keys(rules)));
    expect(new Set(codesOf(checkedRecipes.faulty))).toEqual(new Set(Object.keys(rules)));
    expect(
      shortList.filter((name) => ![...faultyRecipes, ...cleanClips].some((recipe) => recipe.name === name)),
    ).toEqual([]);
    console.table(Object.keys(rules).map((rule) => ({ rule, labelled: codes.filter((code) => code === rule).length })));
    console.log(
      `checked ${checkedRecipes.faulty.length} of ${faultyRecipes.length} faulty files, ${checkedRecipes.clean.length} of ${cleanClips.length} clean ones`,
    );
  });

  test.each(checkedRecipes.faulty.map((recipe): [string, Recipe] => [recipe.name, recipe]))(
    'reports exactly the expected findings for “%s”',
    (_, recipe) => {
      const expected = byTime(recipe.expected);
      expect(matchExpected(findingsOf(recipe), expected, recipe.toleranceMs)).toEqual(expected);
    },
  );

  test.each(checkedRecipes.clean.map((recipe): [string, Recipe] => [recipe.name, recipe]))(
    'reports nothing in the clean file “%s”',
    (_, recipe) => {
      expect(
        findingsOf(recipe).map(({ ruleCode, summary, severityReasoning }) => [ruleCode, summary, severityReasoning]),
      ).toEqual([]);
    },
  );
});
