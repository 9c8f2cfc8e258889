import { createRandom, type Random } from '@assay/testing/run/random.ts';
import { readSeed } from '@assay/testing/run/seed.ts';

/** The seed that selects the flipped bits and the noise of hostile files. */
export const seed = readSeed(0);

/** The random numbers for one file. */
export const randomOf = (file: number): Random => createRandom(seed + file);
