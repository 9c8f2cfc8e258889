import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { relative } from 'node:path';
import timers from 'node:timers/promises';
import { afterAll, expect } from 'vitest';
import { cpuMicrosOf, cpuMicrosOfEndedChildren } from '../../bench/cpu-clock.ts';
import type { FileTime } from './file-time.ts';

/**
 * Runs in the process of every test file if `ASSAY_TEST_TIMES` names a file, and appends a line to it: the duration of the
 * test file, and how much of it was its own CPU time, CPU time of its child processes, or sleep.
 */
const timesFile = process.env.ASSAY_TEST_TIMES;
if (timesFile) {
  const beganAt = performance.now();
  const [own, children] = [cpuMicrosOf(process.pid), cpuMicrosOfEndedChildren(process.pid)];
  const sleptMillis = countSleep();
  // Registered first, so it runs last: by then the hooks of the test file have stopped its child processes.
  afterAll(() => {
    const time: FileTime = {
      file: relative(process.cwd(), expect.getState().testPath ?? ''),
      wallSeconds: (performance.now() - beganAt) / 1000,
      ownCpuSeconds: (cpuMicrosOf(process.pid) - own) / 1e6,
      childCpuSeconds: (cpuMicrosOfEndedChildren(process.pid) - children) / 1e6,
      sleepSeconds: sleptMillis() / 1000,
    };
    appendFileSync(timesFile, `${JSON.stringify(time)}\n`);
  });
}

/**
 * Time during which at least one `await sleep(…)` of the tests was pending. Below 100 ms it is polling; waits of the
 * service in the same process do not count.
 */
function countSleep(): () => number {
  const sleep = timers.setTimeout;
  let pending = 0;
  let since = 0;
  let total = 0;
  timers.setTimeout = async (delay = 1, ...rest) => {
    if (delay < 100 || !/(\.test\.ts|\/test\/)/.test(new Error().stack?.split('\n')[2] ?? ''))
      return sleep(delay, ...rest);
    if (pending++ === 0) since = performance.now();
    try {
      return await sleep(delay, ...rest);
    } finally {
      if (--pending === 0) total += performance.now() - since;
    }
  };
  syncBuiltinESMExports();
  return () => total;
}
