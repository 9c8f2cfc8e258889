import { afterEach } from 'vitest';
import { describeSeed, readSeed } from './seed.ts';

/** As `readSeed`, for a test file. Each of its tests that fails says how to repeat it. */
export function testSeed(usual: number): number {
  const seed = readSeed(usual);
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') console.error(`${task.name}: ${describeSeed(seed)}`);
  });
  return seed;
}
