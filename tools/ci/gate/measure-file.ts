import { cpuMicrosOf, cpuMicrosOfEndedChildren } from '@assay/testing/measure/cpu-clock.ts';
import { afterAll } from 'vitest';

/** A setup file of vitest: it measures the CPU time of each test file for the reporter. */
const cpuMicros = () => cpuMicrosOf(process.pid) + cpuMicrosOfEndedChildren(process.pid);
const cpuMicrosBefore = cpuMicros();

// Registered first, so it runs last: by then the hooks of the test file have stopped its child processes.
// biome-ignore lint/correctness/noEmptyPattern: vitest requires a pattern here
afterAll(({}, { file }) => {
  Object.assign(file.meta, { cpuSeconds: (cpuMicros() - cpuMicrosBefore) / 1e6 });
});
