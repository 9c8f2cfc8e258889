import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{apps,packages,stack,test}/**/*.test.ts'],
    globalSetup: 'test/support/global-setup.ts',
    testTimeout: 120_000, // a bound against what hangs: a busy machine may be slow
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
