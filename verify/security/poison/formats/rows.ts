import type { Recipe, SeedName, Verdict } from './recipe.ts';

/** The expected outcomes, or an object with outcomes and flags. */
type ExpectedOrFlags =
  | readonly Verdict[]
  | (Pick<Recipe, 'isRegression' | 'isSlow'> & Partial<Pick<Recipe, 'expected'>>);

/**
 * A recipe in short form: the name of the variant, a function that makes the file, and, unless the outcome is
 * `complete`, what is expected.
 */
export type Row = [name: string, make: Recipe['make'], known?: ExpectedOrFlags | undefined];

export const recipesOf = (kind: string, filename: string, rows: readonly Row[]): Recipe[] =>
  rows.map(([name, make, known = {}]) => {
    const { expected = ['complete'], ...flags } = isOutcomes(known) ? { expected: known } : known;
    return { name: `${kind}/${name}`, filename, make, expected, ...flags };
  });

/** Recipes from rows that are grouped by file name. */
export const recipesByFile = (kind: string, files: Readonly<Record<string, readonly Row[]>>): Recipe[] =>
  Object.entries(files).flatMap(([filename, rows]) => recipesOf(kind, filename, rows));

/** Makes a file from a valid one. */
export const fromSeed =
  (name: SeedName, change: (valid: Buffer) => Uint8Array = (valid) => valid): Recipe['make'] =>
  ({ seed }) =>
    change(seed(name));

export const refusedOutcomes: readonly Verdict[] = ['refused 415'];
/** Outcomes of a borderline case of the declared format: either is correct. */
export const refusedOrNotOutcomes: readonly Verdict[] = ['refused 415', 'complete'];
/** Outcomes of a file that is costly to read in full: its examination may fail, but only permanently. */
export const heavyOutcomes: readonly Verdict[] = ['complete', 'resource_limit_exceeded'];
export const readableOrNotOutcomes: readonly Verdict[] = ['complete', 'corrupt_media'];
export const longOrNotOutcomes: readonly Verdict[] = [...readableOrNotOutcomes, 'media_too_long'];
export const longOrHeavyOutcomes: readonly Verdict[] = [...longOrNotOutcomes, 'resource_limit_exceeded'];

function isOutcomes(known: ExpectedOrFlags): known is readonly Verdict[] {
  return Array.isArray(known);
}
