import type { Recipe } from './recipe.ts';

/** What is special about a file, how it is made, and what is known of it; where nothing is said, it is `complete`. */
export type Row = [
  name: string,
  make: Recipe['make'],
  known?: (Pick<Recipe, 'hasBitten' | 'isSlow'> & Partial<Pick<Recipe, 'expected'>>) | undefined,
];

export const recipesOf = (kind: string, filename: string, rows: readonly Row[]): Recipe[] =>
  rows.map(([name, make, known]) => ({ name: `${kind}/${name}`, filename, make, expected: ['complete'], ...known }));

export const refused = { expected: ['refused 415'] } as const;
/** Where it hardly is what its name says, either is right. */
export const refusedOrNot = { expected: ['refused 415', 'complete'] } as const;
/** Whoever would have to read all of it may give up, but only for good. */
export const heavy = { expected: ['complete', 'resource_limit_exceeded'] } as const;
