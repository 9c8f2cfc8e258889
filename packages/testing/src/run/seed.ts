/**
 * The seed of a suite with random inputs: SEED of the environment, so that any run can be repeated, or the suite's own.
 * The gate sets none, so that it always tests the same; the nightly run sets a new one.
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

/** Printed by a suite that fails. */
export const describeSeed = (seed: number, command = ''): string =>
  `The seed was ${seed}. Repeat it with: ${`SEED=${seed} ${command}`.trim()}`;
