import { defineConfig } from 'vitest/config';
import { createOutcomeReporter } from '#tools/ci/gate/reporter.ts';
import '@assay/testing/run/node-environment.ts'; // before the first worker is started

const { ASSAY_TEST_OUTCOME: outcomeFile } = process.env;

// biome-ignore lint/style/noDefaultExport: vitest asks for it
export default defineConfig({
  test: {
    include: ['verify/resilience/drill/*-drill.ts'],
    globalSetup: 'packages/testing/src/service/global-setup.ts',
    setupFiles: 'packages/testing/src/service/set-up-file.ts',
    bail: 1, // each test continues with what the previous one left
    testTimeout: 900_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 120_000 } },
    reporters: ['default', ...(outcomeFile ? [createOutcomeReporter(outcomeFile)] : [])],
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
});
