import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { createOutcomeReporter } from './test/gate/reporter.ts';
import { LongestFirst } from './test/support/longest-first.ts';
import './test/support/node-environment.ts'; // before the first worker is started
import { s3 } from './test/storage-tests.ts';
import { slow, unit } from './test/tiers.ts';

const { ASSAY_TEST_OUTCOME: outcomeFile } = process.env;
const everything = '{apps,packages,stack,test}/**/*.test.ts';

/** Projects of one group share the workers; the groups follow each other. */
function tier(
  name: string,
  test: { include: string[]; exclude?: string[]; maxWorkers: number; globalSetup?: string },
  groupOrder: number,
): TestProjectConfiguration {
  return { extends: true, test: { name, ...test, sequence: { groupOrder } } };
}

const parts = 'test/support/global-setup.ts';

export default defineConfig({
  test: {
    setupFiles: 'test/times/measure-file.ts',
    testTimeout: 120_000, // a bound against what hangs: a busy machine may be slow
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default', ...(outcomeFile ? [createOutcomeReporter(outcomeFile)] : [])],
    execArgv: ['--max-semi-space-size=16'], // as the service is started
    // Node 24 runs the TypeScript as it is, in tests as in production.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: LongestFirst },
    projects: [
      tier('unit', { include: unit, maxWorkers: availableParallelism() }, 0),
      tier(
        'service',
        {
          include: [everything],
          exclude: [...configDefaults.exclude, ...unit, ...slow],
          maxWorkers: 3, // they wait for the parts more than they compute
          globalSetup: parts,
        },
        1,
      ),
      tier('s3', { include: s3, exclude: [...configDefaults.exclude, ...unit], maxWorkers: 3, globalSetup: parts }, 2),
      tier('slow', { include: slow, maxWorkers: 1, globalSetup: parts }, 3),
    ],
  },
});
