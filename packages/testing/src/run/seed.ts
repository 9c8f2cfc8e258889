/**
 * The seed of a test suite with random inputs: the environment variable SEED, with which a run can be repeated, or else
 * the suite's own seed. The gate sets no SEED, so it always tests the same inputs; the nightly run sets a new one.
 */
export function readSeed(usual: number): number {
  const { SEED } = process.env;
  return SEED ? parseSeed(SEED) : usual;
}

export function parseSeed(text: string): number {
  const seed = Number(text);
  if (!/^\d+$/.test(text) || seed >= 2 ** 31)
    throw new Error(`a seed must be an integer from 0 to 2147483647, not ${text}`);
  return seed;
}

/** The message with which a failed suite says how to repeat the run. */
export const describeSeed = (seed: number, command = ''): string =>
  `The seed was ${seed}. Repeat it with: ${`SEED=${seed} ${command}`.trim()}`;
