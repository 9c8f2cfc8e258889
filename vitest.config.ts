import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { cacheDir } from '@assay/stack/instance.ts';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { hasJsx, sharesProcess, tests, testsOf } from './tools/ci/gate/groups.ts';
import { createOutcomeReporter } from './tools/ci/gate/reporter.ts';
import '@assay/testing/run/node-environment.ts'; // before the first worker is started

const { ASSAY_TEST_OUTCOME: outcomeFile } = process.env;

const needsStack = (group: string) => !['unit', 'media'].includes(group);

/** The tests of a group: those that have a process each, and those that share processes. They start at the same time. */
function projectsOf(name: string, groupOrder: number): TestProjectConfiguration[] {
  const test = {
    // Three at once: they wait for the parts more than they compute. Nightly tests measure, so they run alone.
    maxWorkers: { unit: availableParallelism(), nightly: 1, poison: 1 }[name] ?? 3,
    sequence: { groupOrder },
    ...(needsStack(name) && { globalSetup: 'packages/testing/src/service/global-setup.ts' }),
    setupFiles: [
      'tools/ci/gate/measure-file.ts',
      ...(needsStack(name) ? ['packages/testing/src/service/set-up-file.ts'] : []),
    ],
  };
  const files = testsOf(name).filter((file) => !hasJsx(file));
  const isolated = { ...test, name, include: files.filter((file) => !sharesProcess(file)) };
  const shared = { ...test, name: `${name}_shared`, include: files.filter(sharesProcess), isolate: false };
  return [isolated, shared].map((project) => ({ extends: true, test: project }));
}

/** Tests in `.tsx`: Vite compiles them, because Node cannot run JSX. */
const components: TestProjectConfiguration = {
  extends: true,
  test: {
    name: 'unit_components',
    include: testsOf('unit').filter(hasJsx),
    setupFiles: 'tools/ci/gate/measure-file.ts',
    experimental: { viteModuleRunner: true },
  },
};

export default defineConfig({
  cacheDir: join(cacheDir, 'vite'), // has the durations of earlier runs, also for a new clone: the longest start first
  test: {
    testTimeout: 120_000, // a bound against what hangs: a busy machine may be slow
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default', ...(outcomeFile ? [createOutcomeReporter(outcomeFile)] : [])],
    execArgv: ['--max-semi-space-size=16'], // as the service is started
    // Node 24 runs the TypeScript as it is, in tests as in production.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [...[...Object.keys(tests), 'core'].flatMap(projectsOf), components],
  },
});
