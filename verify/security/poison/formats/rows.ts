import type { Recipe, SeedName, Verdict } from './recipe.ts';

/** The expected outcomes, or an object with outcomes and flags. */
type Known = readonly Verdict[] | (Pick<Recipe, 'isRegression' | 'isSlow'> & Partial<Pick<Recipe, 'expected'>>);

/** A recipe in short form: its variant, how it is made, and what differs from the default outcome `complete`. */
export type Row = [name: string, make: Recipe['make'], known?: Known | undefined];

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

export const refused: readonly Verdict[] = ['refused 415'];
/** Outcomes of a borderline case of the declared format: either is correct. */
export const refusedOrNot: readonly Verdict[] = ['refused 415', 'complete'];
/** Outcomes of a file that is costly to read in full: its examination may fail, but only permanently. */
export const heavy: readonly Verdict[] = ['complete', 'resource_limit_exceeded'];
export const readableOrNot: readonly Verdict[] = ['complete', 'corrupt_media'];
export const longOrNot: readonly Verdict[] = [...readableOrNot, 'media_too_long'];
export const longOrHeavy: readonly Verdict[] = [...longOrNot, 'resource_limit_exceeded'];

function isOutcomes(known: Known): known is readonly Verdict[] {
  return Array.isArray(known);
}
