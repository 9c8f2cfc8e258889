import { afterEach } from 'vitest';
import { describeSeed, readSeed } from './seed.ts';

/** Like `readSeed`, for a test file. After each failed test it prints how to repeat the run. */
export function testSeed(usual: number): number {
  const seed = readSeed(usual);
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') console.error(`${task.name}: ${describeSeed(seed)}`);
  });
  return seed;
}
