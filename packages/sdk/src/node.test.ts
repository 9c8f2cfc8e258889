import {
  appendFileSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Assay } from '@assay/sdk';
import { openFile } from '@assay/sdk/node';
import { afterAll, describe, expect, test } from 'vitest';

const GiB = 1024 ** 3;
const folder = mkdtempSync(join(tmpdir(), 'assay-open-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A sparse file: it has the size of a large video, but takes almost no space on disk. */
function makeSparseFile(name: string, sizeBytes: number): string {
  const path = join(folder, name);
  writeFileSync(path, '\0\0\0\x18ftypisom');
  truncateSync(path, sizeBytes);
  return path;
}

const textOf = (stream: ReadableStream) => new Response(stream).text();
const notReadableError = expect.objectContaining({ name: 'NotReadableError' });

describe('openFile', () => {
  test('reports the true size of a file of 4.5 GiB and reads its last bytes', async () => {
    const path = makeSparseFile('large.mp4', 4.5 * GiB);
    writeSync(openSync(path, 'r+'), 'the end', 4.5 * GiB - 7);
    const file = await openFile(path);
    expect([file.name, file.size]).toEqual(['large.mp4', 4.5 * GiB]);
    expect(await textOf(file.stream(file.size - 7, file.size))).toBe('the end');
  });

  test('hashes the whole file', async () => {
    const path = join(folder, 'hello.txt');
    writeFileSync(path, 'hello world');
    // As `sha256sum` prints it.
    const sha256 = 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9';
    expect(await (await openFile(path)).sha256()).toBe(sha256);
  });

  test.each([
    ['grew', (path: string) => appendFileSync(path, 'more')],
    ['shrank', (path: string) => truncateSync(path, 10)],
    ['was rewritten', (path: string) => writeFileSync(path, 'x'.repeat(100))],
    ['was deleted', (path: string) => rmSync(path)],
    [
      'was replaced',
      (path: string) => {
        writeFileSync(`${path}.new`, 'x'.repeat(100));
        renameSync(`${path}.new`, path);
      },
    ],
  ])('refuses to read a file that %s after it was opened', async (_, change) => {
    const path = join(folder, 'changing.txt');
    writeFileSync(path, 'x'.repeat(100));
    utimesSync(path, 0, 0); // some kernels give two writes in quick succession the same modification time
    const file = await openFile(path);
    change(path);
    await expect(textOf(file.stream(0, 100))).rejects.toEqual(notReadableError);
    await expect(file.sha256()).rejects.toEqual(notReadableError);
  });

  test('fails to read a file that grows while it is read', async () => {
    const path = join(folder, 'growing.txt');
    writeFileSync(path, 'x'.repeat(3 * 1024 * 1024));
    const file = await openFile(path);
    const reader = file.stream(0, file.size).getReader();
    await reader.read();
    appendFileSync(path, 'more');
    const readRest = async () => {
      while (!(await reader.read()).done);
    };
    await expect(readRest()).rejects.toEqual(notReadableError);
  });

  test('refuses to open a folder', async () => {
    await expect(openFile(folder)).rejects.toThrow('is not a regular file');
  });
});

test('uploads.upload rejects a video of 6 GiB before anything is sent', async () => {
  const calls: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (...call) => {
    calls.push(call);
    throw new Error('nothing must be sent');
  };
  const assay = new Assay({ apiKey: 'unused', fetch });
  const upload = assay.uploads.upload(await openFile(makeSparseFile('too-large.mp4', 6 * GiB)));
  await expect(upload).rejects.toMatchObject({
    code: 'asset_too_large',
    message: 'too-large.mp4 is 6.0 GiB; a video can be up to 5 GiB.',
  });
  expect(calls).toEqual([]);
});
