import { constants, mkdtempSync, readdirSync, readlinkSync, rmSync, statSync, watch } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { makeScratchFolder } from '@assay/jail/anonymous-file.ts';
import { afterAll, expect, test, vi } from 'vitest';
import { withScratchFile } from './scratch-file.ts';

// A separate folder, in which no other test leaves files.
const folder = mkdtempSync(join(tmpdir(), 'assay-test-'));
vi.stubEnv('TMPDIR', folder);
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

async function* chunks(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

test('a scratch file can be read at any offset and as a stream', async () => {
  await withScratchFile(chunks('one ', 'two ', 'three'), async (scratch) => {
    const target = Buffer.alloc(3);
    expect([scratch.sizeBytes, await scratch.read(target, 4), target.toString()]).toEqual([13, 3, 'two']);
    expect((await buffer(scratch.stream())).toString()).toBe('one two three');
  });
});

test('the descriptor of a scratch file is read-only, and its owner cannot open the file for writing', async () => {
  await withScratchFile(chunks('whole'), async ({ fd }) => {
    const path = `/proc/self/fd/${fd}`;
    expect(await readFile(path, 'utf8')).toBe('whole');
    expect(statSync(path).mode & 0o777).toBe(0o444);
    const flags = /^flags:\s*([0-7]+)/m.exec(await readFile(path.replace('/fd/', '/fdinfo/'), 'utf8'))?.[1] ?? '';
    expect(Number.parseInt(flags, 8) & (constants.O_WRONLY | constants.O_RDWR)).toBe(0);
    // Root can write to any file, so `jail.test.ts` tests this as a different user.
    if (process.getuid?.() !== 0) await expect(open(path, 'r+')).rejects.toThrow(/EACCES/);
  });
});

test('a scratch file never has a name, and both its descriptors are closed even after a failure', async () => {
  const namesSeen = new Set<string>();
  const watcher = watch(makeScratchFolder(), (_, name) => namesSeen.add(name ?? ''));
  const before = openFiles();
  const work = withScratchFile(chunks('x'), async ({ fd }) => {
    expect(readlinkSync(`/proc/self/fd/${fd}`)).toMatch(/ \(deleted\)$/);
    expect(openFiles().length).toBe(before.length + 2);
    await setImmediate();
    throw new Error('failed');
  });
  await expect(work).rejects.toThrow('failed');
  expect(openFiles()).toEqual(before);
  watcher.close();
  // A file without a name is reported as `#` and a number.
  expect([...namesSeen].filter((name) => !name.startsWith('#'))).toEqual([]);
});

const openFiles = () =>
  readdirSync('/proc/self/fd')
    .map(targetOf)
    .filter((target) => target.endsWith(' (deleted)'));

function targetOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return ''; // the descriptor with which the folder was listed is closed by now
  }
}
