import { readFileSync } from 'node:fs';
import { statOf } from '@assay/stack/process.ts';
import { descendantsOf } from '../faults/process-table.ts';

// /proc reports CPU time in ticks of USER_HZ: 100 per second on Linux, whatever the kernel's own rate is.
const microsPerTick = 1_000_000 / 100;

/** CPU time used so far: by a process with all its threads, and by its children that have ended. */
type CpuMicros = { own: number; ended: number };

export function cpuMicrosOf(pid: number): number {
  return cpuMicrosOfRunning(pid).own;
}

/**
 * Grows whenever a child exits. The difference of two readings is what the children that exited in between have used.
 */
export function cpuMicrosOfEndedChildren(pid: number): number {
  return cpuMicrosOfRunning(pid).ended;
}

/**
 * CPU time of a server that starts processes: of the server itself, of all its running descendants, and of those that
 * have exited. A worker's examiner keeps running, and starts a tool for each file. Tools in the bubblewrap jail are
 * missing, because bubblewrap exits without waiting for them.
 */
export function cpuMicrosOfFamily(pid: number): number {
  const { own, ended } = cpuMicrosOfRunning(pid);
  const descendants = descendantsOf(pid).map((descendant) => cpuMicrosOrZero(descendant.pid));
  return descendants.reduce((sum, one) => sum + one.own + one.ended, own + ended);
}

/** CPU time of all processes on this host, and the time stolen by other virtual machines. */
export function cpuMicrosOfMachine(): number {
  const [total = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = total.split(/\s+/).slice(1).map(Number);
  return (user + nice + system + irq + softirq + steal) * microsPerTick;
}

/** Throws if the process has exited, which must not be taken for a process that has used no CPU time. */
function cpuMicrosOfRunning(pid: number): CpuMicros {
  if (!statOf(pid)) throw new Error(`Process ${pid} has exited.`);
  return cpuMicrosOrZero(pid);
}

/** Returns 0 for a process that has exited in the meantime, because its parent counts its time. */
function cpuMicrosOrZero(pid: number): CpuMicros {
  const { fields } = statOf(pid) ?? {};
  const sum = (first: number) => (fields ? (Number(fields[first]) + Number(fields[first + 1])) * microsPerTick : 0);
  return { own: sum(11), ended: sum(13) };
}
