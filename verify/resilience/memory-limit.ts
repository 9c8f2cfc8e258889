import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = '/sys/fs/cgroup';

/**
 * Simulates the memory of a small host: above the limit the kernel kills a process of the control group, as in a
 * container. Needs root and writable control groups.
 */
export function openMemoryLimit(limitBytes: number) {
  const isSecondVersion = existsSync(join(root, 'cgroup.controllers'));
  const group = join(root, isSecondVersion ? '' : 'memory', `assay-test-${process.pid}`);
  mkdirSync(group);
  writeFileSync(join(group, isSecondVersion ? 'memory.max' : 'memory.limit_in_bytes'), `${limitBytes}`);
  return {
    /** Wraps a command to run within the limit. */
    wrap: (command: string[]) => ['sh', '-c', `echo $$ > ${group}/cgroup.procs && exec "$@"`, 'sh', ...command],
    close: () => rmdirSync(group),
  };
}
