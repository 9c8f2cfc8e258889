import { randomUUID } from 'node:crypto';
import { constants, type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** `file` to write and read; `reading` for reading alone, to be given to others. Whoever opens it closes both. */
export type NamelessFile = { file: FileHandle; reading: FileHandle };

/** A file that never has a name: it is gone with the process, however that ends. */
export async function openNamelessFile(): Promise<NamelessFile> {
  const file = await openWithoutName();
  try {
    // A descriptor can be opened anew for whatever the mode permits: to read, by a tool of any user, and no more.
    await file.chmod(0o444);
    return { file, reading: await open(`/proc/self/fd/${file.fd}`, 'r') };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Lends a descriptor of these bytes, for reading alone, to a tool that can only read files. */
export async function withNamelessFile<T>(bytes: Uint8Array, work: (fd: number) => Promise<T>): Promise<T> {
  const { file, reading } = await openNamelessFile();
  try {
    await file.writeFile(bytes);
    return await work(reading.fd);
  } finally {
    await Promise.all([file.close(), reading.close()]);
  }
}

// linux/fcntl.h; Node has no name for it.
const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY;

async function openWithoutName(): Promise<FileHandle> {
  try {
    return await open(tmpdir(), O_TMPFILE | constants.O_RDWR, 0o400);
  } catch (error) {
    if (!['EOPNOTSUPP', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    // This file system cannot. Then it has a name for a moment, and keeps it if we are killed in just that moment.
    const name = join(tmpdir(), `assay-${randomUUID()}`);
    return open(name, 'wx+', 0o400).finally(() => unlink(name));
  }
}
