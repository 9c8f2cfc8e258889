import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { declaredAs } from '../../../../../test/support/declared-as.ts';
import { openStudio, withSource } from '../../../../../test/support/film-source.ts';
import type { Source } from '../../evidence/source.ts';
import { runSidekicks } from '../../run.ts';
import type { FoundBy } from '../../sidekick.ts';
import { rules } from './rules.ts';
import { cleanFilms } from './samples/clean-films.ts';
import { brokenFiles } from './samples/faulty-files.ts';
import { fieldFilms, illegalFilms, rangeFilms, unevenFilms } from './samples/faulty-levels.ts';
import { blackFilms, frozenFilms } from './samples/faulty-pictures.ts';
import { clippedFilms, silentFilms, stereoFilms } from './samples/faulty-sounds.ts';
import type { Recipe, Truth } from './samples/film.ts';
import { sidekick } from './sidekick.ts';

const atOnce = 2;
const studio = openStudio('qc');
const faultyOfKind = [
  ...[blackFilms, frozenFilms, illegalFilms, rangeFilms, fieldFilms, unevenFilms],
  ...[silentFilms, clippedFilms, stereoFilms, brokenFiles],
];
const faulty = faultyOfKind.flat();
/** All of them take minutes: `FILMS=all` looks at each, else a third of every kind is looked at. */
const sift = (films: readonly Recipe[]) => films.filter((_, i) => process.env.FILMS === 'all' || i % 3 === 0);
const looked = { faulty: faultyOfKind.flatMap(sift), clean: sift(cleanFilms) };
const found = new Map<Recipe, FoundBy[]>();
const left = [...looked.faulty, ...looked.clean].entries();
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (const [i, recipe] of left) found.set(recipe, await examine(recipe, `${i}.${recipe.extension}`));
  }),
);

async function examine(recipe: Recipe, filename: string): Promise<FoundBy[]> {
  const path = await studio.make(filename, ...recipe.args);
  if (recipe.keptShare || recipe.damagedBytes) await spoil(path, recipe);
  const examining = (source: Source) => runSidekicks([sidekick], source, declaredAs(filename));
  return (await withSource(path, examining)).findings;
}

async function spoil(path: string, { keptShare = 1, damagedBytes = 0 }: Recipe): Promise<void> {
  const bytes = await readFile(path);
  const middle = Math.round(bytes.length / 2);
  bytes.fill(0xa5, middle, middle + damagedBytes);
  await writeFile(path, bytes.subarray(0, Math.round(bytes.length * keptShare)));
}

/** Codes with the times that were found, as far as the truth has them. */
function told(findings: FoundBy[], truth: readonly Truth[], toleranceMs: number): unknown[] {
  return findings.map(({ ruleCode, locations }, i) => {
    const [startMs, endMs] = [locations[0]?.startMs, locations.at(-1)?.endMs];
    const expected = truth[i];
    if (expected?.startMs === undefined || expected.endMs === undefined) return { ruleCode };
    const isNear = (value: number | undefined, to: number) =>
      value !== undefined && Math.abs(value - to) <= toleranceMs;
    return isNear(startMs, expected.startMs) && isNear(endMs, expected.endMs) ? expected : { ruleCode, startMs, endMs };
  });
}
const byTime = (list: readonly Truth[]) =>
  list.toSorted((a, b) => a.ruleCode.localeCompare(b.ruleCode) || (a.startMs ?? 0) - (b.startMs ?? 0));
const findingsOf = (recipe: Recipe) =>
  (found.get(recipe) ?? []).toSorted(
    (a, b) => a.ruleCode.localeCompare(b.ruleCode) || (a.locations[0]?.startMs ?? 0) - (b.locations[0]?.startMs ?? 0),
  );

describe('the labelled set', () => {
  test('is large enough to say something, and has every rule', () => {
    expect(faulty.length).toBeGreaterThanOrEqual(120);
    expect(cleanFilms.length).toBeGreaterThanOrEqual(30);
    const codes = faulty.flatMap(({ truth }) => truth.map(({ ruleCode }) => ruleCode));
    expect(new Set(codes)).toEqual(new Set(Object.keys(rules)));
    console.table(Object.keys(rules).map((rule) => ({ rule, labelled: codes.filter((code) => code === rule).length })));
    console.log(
      `looked at ${looked.faulty.length} of ${faulty.length} faulty films, ${looked.clean.length} of ${cleanFilms.length} clean ones`,
    );
  });

  test.each(looked.faulty.map((recipe): [string, Recipe] => [recipe.name, recipe]))('finds: %s', (_, recipe) => {
    const truth = byTime(recipe.truth);
    expect(told(findingsOf(recipe), truth, recipe.toleranceMs)).toEqual(truth);
  });

  test.each(looked.clean.map((recipe): [string, Recipe] => [recipe.name, recipe]))('lets pass: %s', (_, recipe) => {
    expect(
      findingsOf(recipe).map(({ ruleCode, summary, severityReasoning }) => [ruleCode, summary, severityReasoning]),
    ).toEqual([]);
  });
});
