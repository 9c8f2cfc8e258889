/// <reference types="node" />
import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { LocalFile } from './upload/upload-source.ts';

export type { LocalFile } from './upload/upload-source.ts';

const chunkBytes = 256 * 1024;

/**
 * Opens a file of any size for `uploads.upload`. Use it instead of `openAsBlob` of `node:fs`, which truncates files
 * over 4 GiB (nodejs/node#52585).
 */
export async function openFile(path: string): Promise<LocalFile> {
  const opened = await stat(path, { bigint: true });
  if (!opened.isFile()) throw new Error(`${path} is not a regular file.`);
  const size = Number(opened.size);
  return {
    name: basename(path),
    size,
    stream(start, end) {
      let at = start;
      const pull = async (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>) => {
        if (at === end) return controller.close();
        const chunk = await readChunk(path, opened, at, end);
        at += chunk.length;
        controller.enqueue(chunk);
      };
      return new ReadableStream({ pull }, { highWaterMark: 0 });
    },
    async sha256(signal) {
      const hash = createHash('sha256');
      for (let at = 0; at < size; ) {
        signal?.throwIfAborted();
        const chunk = await readChunk(path, opened, at, size);
        hash.update(chunk);
        at += chunk.length;
      }
      return hash.digest('hex');
    },
  };
}

/**
 * Opens the file for each chunk: an interrupted request does not cancel its stream, so nothing would close the file.
 */
async function readChunk(path: string, opened: BigIntStats, start: number, end: number) {
  try {
    return await withFile(path, async (handle) => {
      const chunk = new Uint8Array(Math.min(chunkBytes, end - start));
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, start);
      const now = await handle.stat({ bigint: true });
      const isSame = (['dev', 'ino', 'size', 'mtimeNs'] as const).every((key) => now[key] === opened[key]);
      if (bytesRead === 0 || !isSame) throw new Error('The file changed.');
      return chunk.subarray(0, bytesRead);
    });
  } catch (cause) {
    // The name of the error that browsers throw when a changed File is read.
    throw Object.assign(new Error(`${path} cannot be read.`, { cause }), { name: 'NotReadableError' });
  }
}

async function withFile<Result>(path: string, work: (handle: FileHandle) => Promise<Result>): Promise<Result> {
  const handle = await open(path);
  try {
    return await work(handle);
  } finally {
    await handle.close();
  }
}
