import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const sizeMiB = 128;
const ballast = 'ballast';

export type Disk = {
  folder: string;
  /** Fills the disk to the last byte. */
  fill(): void;
  clear(): void;
  unmount(): void;
};

/** A small separate disk that can be filled without harm to the machine. */
export function mountDisk(folder: string): Disk {
  mkdirSync(folder);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMiB}m`, 'assay-chaos', folder]);
  const file = join(folder, ballast);
  return {
    folder,
    fill() {
      const fd = openSync(file, 'w');
      try {
        for (const block = Buffer.alloc(64 * 1024); ; ) writeSync(fd, block);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(fd);
      }
    },
    clear: () => rmSync(file, { force: true }),
    unmount: () => unmountDisk(folder),
  };
}

/** Also unmounts a disk that a killed run left mounted. */
export function unmountDisk(folder: string): void {
  try {
    execFileSync('umount', [folder], { stdio: 'ignore' });
  } catch {
    // not mounted
  }
}
