import { readdirSync, readFileSync } from 'node:fs';

const closeOnExec = 0o2000000;

/**
 * Lists the descriptors, from this number on, that a child process would inherit although they are not passed to it.
 * Node opens its own descriptors with close-on-exec. Descriptors that this process was started with are inherited,
 * unless they directly follow Node's own. Such a descriptor can be a socket or log file of the supervisor.
 */
export function listInheritedDescriptors(from: number): number[] {
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter((fd) => fd >= from && !isClosedOnExec(fd));
}

function isClosedOnExec(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1] ?? '0';
    return (Number.parseInt(flags, 8) & closeOnExec) !== 0;
  } catch {
    return true; // already closed, such as the descriptor of the directory listing
  }
}
