import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = '/sys/fs/cgroup';

/**
 * A machine with so little memory: beyond it the kernel kills a process of the group, as it does in a container. Takes
 * root, and a kernel whose control groups can be changed from here.
 */
export function openMemoryLimit(limitBytes: number) {
  const isSecondVersion = existsSync(join(root, 'cgroup.controllers'));
  const group = join(root, isSecondVersion ? '' : 'memory', `assay-test-${process.pid}`);
  mkdirSync(group);
  writeFileSync(join(group, isSecondVersion ? 'memory.max' : 'memory.limit_in_bytes'), `${limitBytes}`);
  return {
    /** Turns a command into one that runs within the limit. */
    wrap: (command: string[]) => ['sh', '-c', `echo $$ > ${group}/cgroup.procs && exec "$@"`, 'sh', ...command],
    close: () => rmdirSync(group),
  };
}
