import { spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Instance } from './instance.ts';

export type Command = {
  program: string;
  args: string[];
  env?: Record<string, string>;
  /** The OS user to run as; requires root. */
  user?: { uid: number; gid: number } | undefined;
};

export const logFileOf = (instance: Instance, part: string) => join(instance.dir, `${part}.log`);
const pidFileOf = (instance: Instance, part: string) => join(instance.dir, `${part}.pid`);

/** Starts a program that outlives this process, with its output appended to the part's log. */
export function startDetached(instance: Instance, part: string, command: Command): void {
  mkdirSync(instance.dir, { recursive: true });
  const log = openSync(logFileOf(instance, part), 'a');
  const child = spawn(command.program, command.args, {
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log],
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8', HOME: '/tmp', ...command.env },
    ...command.user,
  });
  child.on('error', (error) => {
    throw new Error(`${part} could not be started: ${error.message}`);
  });
  child.unref();
  if (child.pid) writeFileSync(pidFileOf(instance, part), `${child.pid} ${startTimeOf(child.pid)}`);
}

/** The pid of the running part, or undefined. A pid that the kernel has given to another program does not count. */
export function pidOf(instance: Instance, part: string): number | undefined {
  let text: string;
  try {
    text = readFileSync(pidFileOf(instance, part), 'utf8');
  } catch {
    return undefined;
  }
  const [pid, startTime] = text.split(' ').map(Number);
  return pid && startTimeOf(pid) === startTime ? pid : undefined;
}

export async function stopProcess(
  instance: Instance,
  part: string,
  signal: NodeJS.Signals,
  patienceSeconds = 20,
): Promise<void> {
  const pid = pidOf(instance, part);
  if (pid) {
    process.kill(pid, signal);
    const deadline = Date.now() + patienceSeconds * 1000;
    while (pidOf(instance, part) && Date.now() < deadline) await sleep(25);
    if (pidOf(instance, part)) process.kill(pid, 'SIGKILL');
  }
  rmSync(pidFileOf(instance, part), { force: true });
}

// A zombie still has an entry but no longer runs, so it counts as ended.
function startTimeOf(pid: number): number | undefined {
  const { fields } = statOf(pid) ?? {};
  return fields === undefined || fields[0] === 'Z' ? undefined : Number(fields[19]);
}

/** `/proc/<pid>/stat`: the name of the program, and the fields from the third on. Undefined if there is no such process. */
export function statOf(pid: number): { name: string; fields: string[] } | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name is in parentheses, and may itself contain parentheses and spaces.
  const end = stat.lastIndexOf(')');
  return { name: stat.slice(stat.indexOf('(') + 1, end), fields: stat.slice(end + 2).split(' ') };
}
