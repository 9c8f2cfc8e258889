import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { copyFile, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Source } from '@assay/jail/source/source.ts';
import { afterAll } from 'vitest';
import { makeWithFfmpeg } from './made-by-ffmpeg.ts';

/** A folder for the media files that ffmpeg makes for one test file. It is removed after the tests. */
export function openMediaFolder(name: string) {
  const folder = mkdtempSync(join(tmpdir(), `assay-${name}-`));
  afterAll(() => rmSync(folder, { recursive: true }));
  return {
    folder,
    /** Makes a file with these ffmpeg arguments; returns its path. */
    async make(filename: string, ...args: string[]): Promise<string> {
      const path = join(folder, filename);
      const isSelfContained = !args.some((arg) => arg.includes(folder));
      if (isSelfContained) {
        await copyFile(await makeWithFfmpeg(extname(filename), args), path);
        return path;
      }
      await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', '-nostdin', ...args, path]);
      return path;
    },
  };
}

/** Calls `work` with a file on disk as a source for sidekicks. */
export async function withSource<T>(
  path: string,
  work: (source: Source) => Promise<T>,
  more: Partial<Source> = {},
): Promise<T> {
  const file = await open(path);
  try {
    const { size: sizeBytes } = await file.stat();
    const read = async (target: Uint8Array, offset: number) =>
      (await file.read(target, 0, target.length, offset)).bytesRead;
    const signal = new AbortController().signal;
    return await work({ bytes: { sizeBytes, read }, fd: file.fd, signal, jail: 'bubblewrap', ...more });
  } finally {
    await file.close();
  }
}
