import { randomUUID } from 'node:crypto';
import { closeSync, constants, fchmodSync, lstatSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processModule } from './process/process-module.ts';

/** Any user may read the file, nobody may write to it: a descriptor can be reopened with whatever the mode permits. */
const readOnlyMode = 0o444;

/** `file` is for writing and reading; `reading` is read-only, to be passed to others. The caller closes both. */
export type AnonymousFile = { file: FileHandle; reading: FileHandle };

/** A temporary file on disk without a name: it disappears with the process, however the process ends. */
export async function openAnonymousFile(): Promise<AnonymousFile> {
  const file = await openUnnamed(makeScratchFolder());
  try {
    await file.chmod(readOnlyMode);
    return { file, reading: await open(`/proc/self/fd/${file.fd}`, 'r') };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Calls `work` with a read-only descriptor of a file with these bytes, for tools that can only read files. The file is in
 * memory, because a process in a jail has no folder to write to.
 */
export async function withAnonymousFile<T>(bytes: Uint8Array, work: (fd: number) => Promise<T>): Promise<T> {
  const fd = openReadOnly(bytes);
  try {
    return await work(fd);
  } finally {
    closeSync(fd);
  }
}

function openReadOnly(bytes: Uint8Array): number {
  const { file, reading } = openMemoryFile();
  try {
    writeFileSync(file, bytes);
    return reading;
  } catch (error) {
    closeSync(reading);
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Descriptors of a file in memory: `file` is for writing, `reading` is read-only. The caller closes both. */
export function openMemoryFile(): { file: number; reading: number } {
  const file = processModule().openMemoryFile();
  try {
    fchmodSync(file, readOnlyMode);
    return { file, reading: openSync(`/proc/self/fd/${file}`, 'r') };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/**
 * Makes the folder of this user's anonymous files, unless it exists, and returns its path. The folder is always empty, so
 * a process that may read what is in it can read nothing but the files whose descriptors it was given.
 */
export function makeScratchFolder(): string {
  const folder = join(tmpdir(), `assay-scratch-${process.getuid?.() ?? 0}`);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  // In a folder that all users may write to, another user could have made it.
  const status = lstatSync(folder);
  if (!status.isDirectory() || status.uid !== process.getuid?.())
    throw new Error(`${folder} is not this user's folder`);
  return folder;
}

// From linux/fcntl.h; Node has no constant for it.
const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY;

async function openUnnamed(folder: string): Promise<FileHandle> {
  try {
    return await open(folder, O_TMPFILE | constants.O_RDWR, 0o400);
  } catch (error) {
    if (!['EOPNOTSUPP', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    // This file system does not support O_TMPFILE. The file briefly has a name, and keeps it if this process is killed
    // at that point.
    const name = join(folder, `assay-${randomUUID()}`);
    return open(name, 'wx+', 0o400).finally(() => unlink(name));
  }
}
