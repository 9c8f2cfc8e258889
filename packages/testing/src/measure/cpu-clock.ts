import { readFileSync } from 'node:fs';
import { statOf } from '@assay/stack/process.ts';
import { childrenOf } from '../faults/process-table.ts';

// /proc reports CPU time in ticks of USER_HZ: 100 per second on Linux, whatever the kernel's own rate is.
const microsPerTick = 1_000_000 / 100;

/** CPU time spent so far: by a process with all its threads, and by its children that have ended. */
type Spent = { own: number; ended: number };

export function cpuMicrosOf(pid: number): number {
  return spentByRunning(pid).own;
}

/** Grows whenever a child exits, so the difference is what the children that exited in between have used. */
export function cpuMicrosOfEndedChildren(pid: number): number {
  return spentByRunning(pid).ended;
}

/** A server that forks: itself, its running children and those that have exited. */
export function cpuMicrosOfFamily(pid: number): number {
  const { own, ended } = spentByRunning(pid);
  return childrenOf(pid).reduce((sum, child) => sum + spentBy(child.pid).own, own + ended);
}

/** Everything that ran on this machine, and the time stolen by other virtual machines. */
export function cpuMicrosOfMachine(): number {
  const [total = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = total.split(/\s+/).slice(1).map(Number);
  return (user + nice + system + irq + softirq + steal) * microsPerTick;
}

/** Throws if the process has exited, because nobody may take that for a process that used no time. */
function spentByRunning(pid: number): Spent {
  if (!statOf(pid)) throw new Error(`Process ${pid} has exited.`);
  return spentBy(pid);
}

/** Nothing for a child that has exited in the meantime: its parent counts its time. */
function spentBy(pid: number): Spent {
  const { fields } = statOf(pid) ?? {};
  const sum = (first: number) => (fields ? (Number(fields[first]) + Number(fields[first + 1])) * microsPerTick : 0);
  return { own: sum(11), ended: sum(13) };
}
