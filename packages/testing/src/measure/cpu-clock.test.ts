import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { cpuMicrosOfFamily } from './cpu-clock.ts';

/** Takes over 50 ms of CPU time, while starting a shell takes almost none. */
const work = 'i=0; while [ $i -lt 150000 ]; do i=$((i+1)); done';
const millisMin = 50;
/** Reports that the work is done, and keeps running until the test closes the standard input. */
const stay = 'echo done; read line';

let shell: ChildProcess;
afterEach(() => shell.stdin?.end());

/** Starts a shell and waits until it, or a shell that it started, has done the work. */
async function start(script: string): Promise<number> {
  const child = spawn('sh', ['-c', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, TOOL: `sh -c '${work}'` },
  });
  shell = child;
  await once(child.stdout, 'data');
  return child.pid as number;
}

describe('the CPU time of a process and what it starts', () => {
  test.each([
    { of: 'the process', script: `${work}; ${stay}` },
    { of: 'a child that has exited', script: `sh -c '${work}'; ${stay}` },
    { of: 'a child that is running', script: `sh -c '${work}; ${stay}'; true` },
    { of: 'a tool that has exited, of a child that is running', script: `sh -c "$TOOL; ${stay}"; true` },
  ])('includes $of', async ({ script }) => {
    const pid = await start(script);
    expect(cpuMicrosOfFamily(pid) / 1000).toBeGreaterThan(millisMin);
  });

  test('throws once the process has exited', async () => {
    const pid = await start(stay);
    shell.stdin?.end();
    await once(shell, 'exit');
    expect(() => cpuMicrosOfFamily(pid)).toThrow(`Process ${pid} has exited.`);
  });
});
