import type { Recipe } from './recipe.ts';

/** A recipe in short form: its variant, how it is made, and what differs from the default outcome `complete`. */
export type Row = [
  name: string,
  make: Recipe['make'],
  known?: (Pick<Recipe, 'isRegression' | 'isSlow'> & Partial<Pick<Recipe, 'expected'>>) | undefined,
];

export const recipesOf = (kind: string, filename: string, rows: readonly Row[]): Recipe[] =>
  rows.map(([name, make, known]) => ({ name: `${kind}/${name}`, filename, make, expected: ['complete'], ...known }));

export const refused = { expected: ['refused 415'] } as const;
/** A borderline case of the declared format: either outcome is correct. */
export const refusedOrNot = { expected: ['refused 415', 'complete'] } as const;
/** A check that would have to read the whole file may fail, but only permanently. */
export const heavy = { expected: ['complete', 'resource_limit_exceeded'] } as const;
