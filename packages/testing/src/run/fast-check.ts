import fc from 'fast-check';
import { describeSeed, readSeed } from './seed.ts';

const seed = readSeed(1);

/** fast-check with a fixed seed unless SEED is set. The message of a failed property says how to repeat the run. */
fc.configureGlobal({
  seed,
  reporter(details) {
    if (!details.failed) return;
    const text = `${fc.defaultReportMessage(details)}\n\n${describeSeed(seed)}`;
    throw new Error(text, { cause: details.errorInstance });
  },
});

export { fc };
