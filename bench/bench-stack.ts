import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { environmentOf, openInstance } from '../stack/instance.ts';
import type { Part } from '../stack/part.ts';
import { pidOf } from '../stack/process.ts';

const stackMain = join(import.meta.dirname, '..', 'stack', 'main.ts');

/** The real parts on the ports of the `bench` instance; `close` stops those that did not run before. */
export function openBenchStack(parts: Part[]) {
  const instance = openInstance('bench');
  const runStack = (command: string, only: Part[]) => {
    const names = only.map((part) => part.name).join(',');
    execFileSync(process.execPath, [stackMain, command, '--instance', instance.name, '--only', names], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  };
  const ours = parts.filter((part) => pidOf(instance, part.name) === undefined);
  const close = () => {
    if (ours.length > 0) runStack('down', ours);
  };
  try {
    runStack('up', parts);
  } catch (error) {
    close();
    throw error;
  }
  return {
    environment: environmentOf(instance),
    pidOf: (part: Part) => pidOf(instance, part.name) as number,
    versionOf: (part: Part) => part.ask(instance),
    close,
  };
}
