import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { visiblePaths } from './jail.ts';

const packageFolder = new URL('../', import.meta.url);
export const launcherSource = fileURLToPath(new URL('native/landlock-jail.c', packageFolder));

/** The path of the built launcher. It contains a hash of the source, so that an outdated build is never started. */
export function builtLauncher(): string {
  const hash = createHash('sha256').update(readFileSync(launcherSource)).digest('hex').slice(0, 16);
  return fileURLToPath(new URL(`dist/landlock-jail-${hash}-${process.arch}`, packageFolder));
}

/** The newest version of Landlock's interface that the launcher can use. */
const newestAbi = 6;

/** The launcher's arguments before the program to run. Only this process can start the launcher with them. */
export function launcherArguments(abiMax: number = newestAbi): string[] {
  const { executable, readable, readableDevices, writableDevices } = visiblePaths;
  const paths = [executable, [...readable, ...readableDevices], writableDevices];
  return [`${process.pid}`, `${abiMax}`, ...paths.map((list) => list.join(':'))];
}
