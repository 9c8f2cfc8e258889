import { defineConfig } from 'vitest/config';
import { createOutcomeReporter } from '#tools/ci/gate/reporter.ts';

const { ASSAY_TEST_OUTCOME: outcomeFile } = process.env;

// biome-ignore lint/style/noDefaultExport: vitest asks for it
export default defineConfig({
  test: {
    include: ['verify/deploy/chart/rendered-chart.ts'],
    testTimeout: 120_000,
    reporters: ['default', ...(outcomeFile ? [createOutcomeReporter(outcomeFile)] : [])],
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
});
