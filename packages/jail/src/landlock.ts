import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { shown } from './jail.ts';

const packageFolder = new URL('../', import.meta.url);
export const launcherSource = fileURLToPath(new URL('native/landlock-jail.c', packageFolder));

/** The path of the built launcher. It contains a hash of the source, so that an outdated build is never started. */
export function builtLauncher(): string {
  const hash = createHash('sha256').update(readFileSync(launcherSource)).digest('hex').slice(0, 16);
  return fileURLToPath(new URL(`dist/landlock-jail-${hash}-${process.arch}`, packageFolder));
}

/** The newest version of Landlock that the launcher knows how to use. */
const newestAbi = 6;

/** The arguments of the launcher up to the program to run, if this process starts it. */
export function launcherArguments(abiMax: number = newestAbi): string[] {
  const { executable, readable, readableDevices, writableDevices } = shown;
  const paths = [executable, [...readable, ...readableDevices], writableDevices];
  return [`${process.pid}`, `${abiMax}`, ...paths.map((list) => list.join(':'))];
}
