import { createRandom, type Random } from '../chaos/random.ts';
import { readSeed } from '../support/seed.ts';

/** Selects the flipped bits and the noise of hostile files. */
export const seed = readSeed(0);

/** Random numbers of one file. */
export const randomOf = (file: number): Random => createRandom(seed + file);
