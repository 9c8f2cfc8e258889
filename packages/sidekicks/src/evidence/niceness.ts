import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * Gives a process that was just started, with all that it starts, this priority; from 0, the usual one, to 19, the least.
 * In the root cgroup Linux may share the CPU between sessions first ("autogroup") and look at priorities only within
 * one: there the session is given it too. A container or a unit of systemd is a cgroup of its own and needs only the first.
 */
export function setNiceness(pid: number | undefined, niceness: number): void {
  if (pid === undefined) return; // it could not be started
  try {
    setPriority(pid, niceness);
    writeFileSync(`/proc/${pid}/autogroup`, `${niceness}`);
  } catch {
    // It has ended, there is no autogroup, or the kernel takes so many changes only from root: it runs as it is.
  }
}
