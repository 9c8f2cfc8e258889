import { createRandom, type Random } from '@assay/testing/run/random.ts';
import { readSeed } from '@assay/testing/run/seed.ts';

/** Selects the flipped bits and the noise of hostile files. */
export const seed = readSeed(0);

/** Random numbers of one file. */
export const randomOf = (file: number): Random => createRandom(seed + file);
