import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A pid alone may be handed to another program; with the time of its start it is this one. */
export type Process = { pid: number; parentPid: number; startTime: number; name: string };

/** All that run now; one that has ended and was not yet fetched by its parent does not. */
function listProcesses(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => processAt(Number(name)) ?? []);
}

/** What a process started, and what that started. */
export function familyOf(pid: number): Process[] {
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

/** The most memory that it ever held. */
export function peakBytesOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0; // it ended meanwhile
  }
}

/** Whether it examines files, or waits for the next: one that is busy has its file open. */
export function isExaminer(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('/examiner/process.ts');
  } catch {
    return false; // it ended meanwhile
  }
}

/** Those that have a file of this folder open, also one without a name: a decoder is given the file that it looks at. */
export function processesHolding(folder: string, among: (pid: number) => boolean = () => true): Process[] {
  return listProcesses().filter(({ pid }) => {
    if (!among(pid)) return false;
    try {
      const open = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
      return open.some((target) => target.startsWith(`${folder}/`));
    } catch {
      return false; // it ended meanwhile, or is another user's
    }
  });
}

// The name stands in brackets and may hold brackets and spaces itself; the fields are counted from the last one.
function processAt(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const end = stat.lastIndexOf(')');
    const fields = stat.slice(end + 2).split(' ');
    if (fields[0] === 'Z') return undefined;
    const name = stat.slice(stat.indexOf('(') + 1, end);
    return { pid, parentPid: Number(fields[1]), startTime: Number(fields[19]), name };
  } catch {
    return undefined;
  }
}
