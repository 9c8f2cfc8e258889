import { readdirSync, readFileSync } from 'node:fs';

// /proc reports CPU time in ticks of USER_HZ: 100 per second on Linux, whatever the kernel's own rate is.
const microsPerTick = 1_000_000 / 100;

/** CPU time spent so far: by a process with all its threads, and by its children that have ended. */
type Spent = { own: number; ended: number };

export function cpuMicrosOf(pid: number): number {
  return spentBy(pid).own;
}

/** Grows whenever a child exits, so the difference is what the children that exited in between have used. */
export function cpuMicrosOfEndedChildren(pid: number): number {
  return spentBy(pid).ended;
}

/** A server that forks: itself, its running children and those that have exited. */
export function cpuMicrosOfFamily(pid: number): number {
  const { own, ended } = spentBy(pid);
  return childrenOf(pid).reduce((sum, child) => sum + (unlessEnded(() => spentBy(child).own) ?? 0), own + ended);
}

/** Everything that ran on this machine, and the time stolen by other virtual machines. */
export function cpuMicrosOfMachine(): number {
  const [total = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = total.split(/\s+/).slice(1).map(Number);
  return (user + nice + system + irq + softirq + steal) * microsPerTick;
}

function spentBy(pid: number): Spent {
  const fields = statOf(pid);
  const sum = (first: number) => (Number(fields[first]) + Number(fields[first + 1])) * microsPerTick;
  return { own: sum(11), ended: sum(13) };
}

function childrenOf(pid: number): number[] {
  const all = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return all.filter((other) => unlessEnded(() => Number(statOf(other)[1])) === pid);
}

// The fields from the third on, counted from the last ')', because a program's name may contain spaces.
function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

// A process may exit after it was listed and before it is read.
function unlessEnded<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
