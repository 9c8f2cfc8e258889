import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheDir } from '@assay/stack/instance.ts';
import { afterAll, expect, test } from 'vitest';
import { cached, cachedSync } from './cached.ts';

const cacheSubfolder = `test-${randomUUID()}`;
afterAll(() => rmSync(join(cacheDir, cacheSubfolder), { recursive: true }));

/** Writes a file in two steps, with a pause between them. */
const makeSlowly = async (path: string) => {
  writeFileSync(path, 'half');
  await sleep(50);
  writeFileSync(path, 'whole');
};

test('a cached file is made only once, and has its final name only when it is complete', async () => {
  const first = cached(cacheSubfolder, '.txt', ['a'], makeSlowly);
  await sleep(20);
  expect(readdirSync(join(cacheDir, cacheSubfolder)).filter((name) => name.endsWith('.txt'))).toEqual([]);
  const path = await first;
  expect(readFileSync(path, 'utf8')).toBe('whole');
  expect(cachedSync(cacheSubfolder, '.txt', ['a'], () => expect.unreachable())).toBe(path);
});

test('a cached folder can be made by two callers at the same time', async () => {
  const makeFolder = async (path: string) => {
    mkdirSync(path);
    await makeSlowly(join(path, 'a'));
  };
  const [one, other] = await Promise.all([
    cached(cacheSubfolder, '', ['b'], makeFolder),
    cached(cacheSubfolder, '', ['b'], makeFolder),
  ]);
  expect(one).toBe(other);
  expect(readFileSync(join(one, 'a'), 'utf8')).toBe('whole');
});

test('a cached file is made again after a failed attempt', () => {
  const makeHalf = (path: string) => {
    writeFileSync(path, 'half');
    throw new Error('stopped');
  };
  expect(() => cachedSync(cacheSubfolder, '', ['c'], makeHalf)).toThrow('stopped');
  expect(
    readFileSync(
      cachedSync(cacheSubfolder, '', ['c'], (path) => writeFileSync(path, 'whole')),
      'utf8',
    ),
  ).toBe('whole');
  expect(readdirSync(join(cacheDir, cacheSubfolder)).filter((name) => name.startsWith('unfinished'))).toEqual([]);
});

test('different input bytes result in different cached folders', () => {
  const pathOf = (byte: number) =>
    cachedSync(cacheSubfolder, '', { input: Buffer.from([byte]) }, (path) => mkdirSync(path));
  expect(pathOf(1)).toBe(pathOf(1));
  expect(pathOf(1)).not.toBe(pathOf(2));
});
