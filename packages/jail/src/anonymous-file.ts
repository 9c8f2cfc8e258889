import { randomUUID } from 'node:crypto';
import { constants, type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** `file` is for writing and reading; `reading` is read-only, to be passed to others. The caller closes both. */
export type AnonymousFile = { file: FileHandle; reading: FileHandle };

/** A temporary file without a name: it disappears with the process, however the process ends. */
export async function openAnonymousFile(): Promise<AnonymousFile> {
  const file = await openUnnamed();
  try {
    // A descriptor can be reopened with whatever access the mode permits. This mode permits any user to read only.
    await file.chmod(0o444);
    return { file, reading: await open(`/proc/self/fd/${file.fd}`, 'r') };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Calls `work` with a read-only descriptor of a file with these bytes, for tools that can only read files. */
export async function withAnonymousFile<T>(bytes: Uint8Array, work: (fd: number) => Promise<T>): Promise<T> {
  const { file, reading } = await openAnonymousFile();
  try {
    await file.writeFile(bytes);
    return await work(reading.fd);
  } finally {
    await Promise.all([file.close(), reading.close()]);
  }
}

// From linux/fcntl.h; Node has no constant for it.
const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY;

async function openUnnamed(): Promise<FileHandle> {
  try {
    return await open(tmpdir(), O_TMPFILE | constants.O_RDWR, 0o400);
  } catch (error) {
    if (!['EOPNOTSUPP', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    // This file system does not support O_TMPFILE. The file briefly has a name, and keeps it if this process is killed
    // at that point.
    const name = join(tmpdir(), `assay-${randomUUID()}`);
    return open(name, 'wx+', 0o400).finally(() => unlink(name));
  }
}
