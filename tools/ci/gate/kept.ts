import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import { cacheDir } from '@assay/stack/instance.ts';
import { corporaFolder } from '@assay/testing/media/corpora.ts';
import { root } from '@assay/testing/run/root.ts';
import { readSuites } from '../nightly/suites.ts';
import { type Group, isInput } from './groups.ts';

/** A green result of a group, which the gate carries over. */
export type KeptResult = { commit: string; date: string; passed: number };

const gateFolder = join(cacheDir, 'gate');
const unstableFile = join(gateFolder, 'unstable');
const fileOf = ({ name }: Group, key: string) => join(gateFolder, `${name}-${key}.json`);
const hashOf = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 });

/** Returns every file of the checkout that git does not ignore, with the hash of its content. */
export function readFiles(): Map<string, string> {
  const names = new Set(git('ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0'));
  const present = [...names].filter((name) => name && existsSync(join(root, name))).sort();
  return new Map(present.map((name) => [name, hashOf(readFileSync(join(root, name)))]));
}

/** What else a result depends on: tools, kernel, corpora and settings. The week limits how long a result is kept. */
export function readSurroundings(): Record<string, string> {
  const sizes = readSuites().flatMap(({ command }) => [...command.matchAll(/(\w+)=/g)].map(([, name]) => name));
  const isSetting = ([name]: [string, unknown]) => name.startsWith('ASSAY_') || sizes.includes(name);
  const corpora = globSync('**/*', { cwd: corporaFolder }).map((name) => [
    name,
    statSync(join(corporaFolder, name)).mtimeMs,
  ]);
  return {
    settings: JSON.stringify(Object.entries(process.env).filter(isSetting).sort()),
    packages: hashOf(execFileSync('dpkg-query', ['-W'])),
    corpora: hashOf(JSON.stringify(corpora.sort())),
    kernel: release(),
    node: process.version,
    week: `${Math.floor(Date.now() / (7 * 86_400_000))}`,
  };
}

export function keyOf(group: Group, files: Map<string, string>, surroundings: Record<string, string>): string {
  return hashOf(JSON.stringify([[...files].filter(([file]) => isInput(group, file)), surroundings]));
}

/** Whether no group has ever been green on this machine. */
export const isFirstRun = () => !existsSync(gateFolder);

export function findKept(group: Group, key: string): KeptResult | undefined {
  const file = fileOf(group, key);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

export function keepResult(group: Group, key: string, passed: number): void {
  const kept: KeptResult = { commit: git('describe', '--always', '--dirty').trim(), date: today(), passed };
  mkdirSync(gateFolder, { recursive: true });
  writeFileSync(fileOf(group, key), JSON.stringify(kept));
}

/** Records tests that needed a second run; `pnpm nightly status` lists them for a week. */
export function recordUnstableTests(tests: string[]): void {
  mkdirSync(gateFolder, { recursive: true });
  for (const test of tests) appendFileSync(unstableFile, `${today()} ${test.split('\n')[0]}\n`);
}

export function readUnstableTests(): string[] {
  const since = new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10);
  const lines = existsSync(unstableFile) ? readFileSync(unstableFile, 'utf8').trim().split('\n') : [];
  return lines.filter((line) => line > since);
}

const today = () => new Date().toISOString().slice(0, 10);
