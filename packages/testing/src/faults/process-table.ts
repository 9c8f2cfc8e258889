import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { statOf } from '@assay/stack/process.ts';

/** A process is identified by pid and start time, because the kernel reuses pids. */
export type Process = { pid: number; parentPid: number; startTime: number; name: string };

/** All running processes, without zombies. */
function listProcesses(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => processAt(Number(name)) ?? []);
}

/** The running children of a process. */
export function childrenOf(pid: number): Process[] {
  return listProcesses().filter(({ parentPid }) => parentPid === pid);
}

/** The running descendants of a process. */
export function descendantsOf(pid: number): Process[] {
  const all = listProcesses();
  const family: Process[] = [];
  for (let parents = [pid]; parents.length > 0; ) {
    const children = all.filter(({ parentPid }) => parents.includes(parentPid));
    family.push(...children);
    parents = children.map((child) => child.pid);
  }
  return family;
}

export function isAlive({ pid, startTime }: Process): boolean {
  return processAt(pid)?.startTime === startTime;
}

/** The peak memory of a process; 0 if it has exited. */
export function peakBytesOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0; // it has exited
  }
}

/**
 * Whether the process is an examiner, which has a file open while it examines the file, and otherwise waits for one.
 */
export function isExaminer(pid: number): boolean {
  return /^[^\0]*\/node\0/.test(commandOf(pid)) && belongsToExaminer(pid);
}

/** Whether the process is an examiner or makes the jail around one. The tools of an examiner are neither. */
export function belongsToExaminer(pid: number): boolean {
  return /\/examiner\/process\.[jt]s/.test(commandOf(pid));
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // it has exited
  }
}

/** Processes with an open file in this folder, even an unlinked one: a decoder inherits the file that it reads. */
export function processesWithOpenFileIn(folder: string, among: (pid: number) => boolean = () => true): Process[] {
  return listProcesses().filter(({ pid }) => {
    if (!among(pid)) return false;
    try {
      const open = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
      return open.some((target) => target.startsWith(`${folder}/`));
    } catch {
      return false; // it has exited, or belongs to another user
    }
  });
}

function processAt(pid: number): Process | undefined {
  const { name, fields } = statOf(pid) ?? {};
  if (!name || !fields || fields[0] === 'Z') return undefined;
  return { pid, parentPid: Number(fields[1]), startTime: Number(fields[19]), name };
}
