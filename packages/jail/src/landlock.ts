import { builtPath, nativeSource } from './built.ts';
import { executablesFor, visiblePaths } from './jail.ts';

export const launcherSource = nativeSource('landlock-jail.c');

export function builtLauncher(): string {
  return builtPath(launcherSource, 'landlock-jail');
}

/** The newest version of Landlock's interface that the launcher can use. */
export const newestAbi = 6;

/** The launcher's arguments before the program to run. Only this process can start the launcher with them. */
export function launcherArguments(program: string, abiMax: number = newestAbi): string[] {
  const { readable, readableDevices, writableDevices } = visiblePaths;
  const paths = [executablesFor(program), [...readable, ...readableDevices], writableDevices];
  return [`${process.pid}`, `${abiMax}`, ...paths.map((list) => list.join(':'))];
}
