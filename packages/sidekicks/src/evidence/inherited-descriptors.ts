import { readdirSync, readFileSync } from 'node:fs';

const closeOnExec = 0o2000000;

/**
 * The descriptors from this number on that a new process would get beside those that it is given. What Node opens is
 * closed by itself. What this process was started with is not, unless it stands right behind Node's own: it may be a
 * socket or a log of whoever watches over it.
 */
export function listInherited(from: number): number[] {
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter((fd) => fd >= from && !isClosedOnExec(fd));
}

function isClosedOnExec(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1] ?? '0';
    return (Number.parseInt(flags, 8) & closeOnExec) !== 0;
  } catch {
    return true; // closed meanwhile, as that of the listing itself
  }
}
