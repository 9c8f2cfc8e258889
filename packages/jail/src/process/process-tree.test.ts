import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { setTreeNiceness } from './niceness.ts';
import { cpuSecondsOf, treeOf } from './process-tree.ts';

/** A process that starts another one, which computes until it is killed. */
async function startBusy() {
  const child = spawn('sh', ['-c', 'echo ready; (while :; do :; done) & wait; sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const pid = child.pid as number;
  onTestFinished(() => {
    for (const one of [...treeOf(pid)].toReversed()) process.kill(one.pid, 'SIGKILL');
  });
  await once(child.stdout, 'data');
  while ([...treeOf(pid)].length < 2) await sleep(10);
  return pid;
}

test('the CPU time of a process includes that of those that it has started, also after they have ended', async () => {
  const pid = await startBusy();
  while (cpuSecondsOf(pid) < 0.2) await sleep(20);
  const [, busy] = [...treeOf(pid)];
  process.kill(busy?.pid as number, 'SIGKILL');
  await sleep(100);
  expect(cpuSecondsOf(pid)).toBeGreaterThanOrEqual(0.2);
});

test('a lower priority reaches the processes that were started before', async () => {
  const pid = await startBusy();
  setTreeNiceness(pid, 14);
  expect([...treeOf(pid)].map((one) => getPriority(one.pid))).toEqual([14, 14]);
});
