import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { processModule } from './process-module.ts';
import { treeOf } from './process-tree.ts';

/**
 * Sets the niceness of a new process, which its children inherit: from 0 (default) to 19 (lowest priority). In the root
 * cgroup, Linux may first divide CPU time between sessions ("autogroup") and apply priorities only within a session, so
 * the autogroup gets the same niceness. In the cgroup of a container or systemd unit, autogroups have no effect.
 */
export function setNiceness(pid: number | undefined, niceness: number): void {
  apply(pid, niceness, setPriority);
}

/** The same for all threads and processes of a process group, which is named by its first process. */
export function setGroupNiceness(pid: number | undefined, niceness: number): void {
  apply(pid, niceness, processModule().setGroupNiceness);
}

function apply(pid: number | undefined, niceness: number, set: (pid: number, niceness: number) => void): void {
  if (pid === undefined) return; // the process failed to start
  try {
    set(pid, niceness);
    writeFileSync(`/proc/${pid}/autogroup`, `${niceness}`);
  } catch {
    // The process has exited or has no autogroup, or the kernel limits how often a user other than root may change the
    // autogroup. The default stays.
  }
}

/** Sets the niceness of a process, of all its threads, and of the processes that it has started. */
export function setTreeNiceness(pid: number | undefined, niceness: number): void {
  if (pid === undefined) return;
  // Linux has a priority for each thread.
  for (const { threads } of treeOf(pid)) for (const thread of threads) setNiceness(thread, niceness);
}
