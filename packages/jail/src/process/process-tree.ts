import { readdirSync, readFileSync } from 'node:fs';

/** The unit of times in /proc, which is the same on all supported machines. */
const ticksPerSecond = 100;
/** Fields of /proc/<pid>/stat after the name: CPU time of the process and of the children that it has waited for. */
const timeFields = { first: 11, count: 4 };

/** A process and those that it has started, with the threads of each. */
export function* treeOf(pid: number): Generator<{ pid: number; threads: number[] }> {
  const threads = readThreads(pid);
  yield { pid, threads };
  for (const thread of threads) for (const child of readChildren(pid, thread)) yield* treeOf(child);
}

/** The CPU time that a process and those that it has started have used, also those that have ended. */
export function cpuSecondsOf(pid: number): number {
  let ticks = 0;
  for (const one of treeOf(pid)) ticks += readTicks(one.pid);
  return ticks / ticksPerSecond;
}

function readTicks(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // a name may contain anything
    return fields
      .slice(timeFields.first, timeFields.first + timeFields.count)
      .reduce((sum, text) => sum + Number(text), 0);
  } catch {
    return 0; // it has exited
  }
}

function readThreads(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return []; // it has exited
  }
}

function readChildren(pid: number, thread: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8');
    return children.split(' ').filter(Boolean).map(Number);
  } catch {
    return []; // it has exited, or the kernel does not list children
  }
}
