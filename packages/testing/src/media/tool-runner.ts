import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tool } from '@assay/jail/run-tool.ts';
import type { Jail } from '@assay/jail/source/source.ts';
import type { FromToolProcess, ToolOutcome, ToolRun, ToToolProcess } from './tool-process.ts';

const toolProcessFile = join(import.meta.dirname, 'tool-process.ts');
const isRoot = process.getuid?.() === 0;

/** A user without privileges and without an account, different from the user that runs root's tools. */
const unprivilegedUser = { uid: 54_321, gid: 54_321 };

/** The users that can run a worker. Null if the tests do not run as root, because only root can change the user. */
export const users: Record<'root' | 'an ordinary user', { uid?: number; gid?: number } | null> = {
  root: isRoot ? {} : null,
  'an ordinary user': isRoot ? unprivilegedUser : {},
};
export type UserName = keyof typeof users;
export const userNames = Object.keys(users) as UserName[];

export type ToolRunner = {
  child: ChildProcess;
  run(tool: Partial<Tool> & Pick<Tool, 'program'>, options?: Partial<Omit<ToolRun, 'tool'>>): Promise<ToolOutcome>;
  /** Runs a perl script. Perl is in the jail because of exiftool, and can make any system call. */
  attack(script: string, options?: Partial<Omit<ToolRun, 'tool'> & Tool>): Promise<ToolOutcome>;
  countDescriptors(): Promise<number>;
  stop(): Promise<void>;
};

const defaultLimits = {
  args: [],
  secondsMax: 60,
  cpuSecondsMax: 20,
  memoryBytesMax: 1024 ** 3,
  outputBytesMax: 1024 ** 2,
};

/** Starts a process that runs tools as this user, in this jail. `inherited` is a file descriptor that it inherits. */
export async function openToolRunner(
  user: UserName,
  usualJail: Jail,
  { environment = {}, inherited }: { environment?: Record<string, string>; inherited?: number } = {},
): Promise<ToolRunner> {
  const identity = users[user];
  if (!identity) throw new Error(`only root can test as ${user}`);
  requireReadable(identity);
  const child = fork(toolProcessFile, {
    ...identity,
    execArgv: [],
    env: { PATH: process.env.PATH, ...environment },
    serialization: 'advanced',
    // Node closes the descriptors that follow its own directly, but not those with higher numbers.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', ...Array(56).fill('ignore'), inherited ?? 'ignore'],
  });
  const waiting = new Map<number, (answer: FromToolProcess) => void>();
  let lastId = 0;
  child.on('message', (answer: FromToolProcess) => waiting.get(answer.id)?.(answer));
  const ask = (question: object) =>
    new Promise<FromToolProcess>((resolve) => {
      const id = ++lastId;
      waiting.set(id, resolve);
      child.send({ id, ...question } as ToToolProcess);
    });

  const runner: ToolRunner = {
    child,
    run: async (tool, { content = Buffer.from('0123456789'), jail = usualJail, abortAfterMillis = null } = {}) => {
      const answer = await ask({ trial: { tool: { ...defaultLimits, ...tool }, content, jail, abortAfterMillis } });
      return (answer as { outcome: ToolOutcome }).outcome;
    },
    attack: (script, { content, jail, abortAfterMillis, args = [], ...limits } = {}) =>
      runner.run(
        { ...limits, program: '/usr/bin/perl', args: ['-e', script, ...args] },
        { ...(content && { content }), ...(jail && { jail }), ...(abortAfterMillis && { abortAfterMillis }) },
      ),
    countDescriptors: async () => ((await ask({ question: 'descriptors' })) as { descriptors: number }).descriptors,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
  return runner;
}

/** The processes on this host with this text in their arguments. */
export function findProcesses(mark: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(mark);
      } catch {
        return false; // it has exited
      }
    })
    .map(Number);
}

function requireReadable(identity: { uid?: number; gid?: number }): void {
  try {
    execFileSync(process.execPath, ['--eval', `require('node:fs').readFileSync(${JSON.stringify(toolProcessFile)})`], {
      ...identity,
      stdio: 'ignore',
    });
  } catch (cause) {
    const what = `uid ${identity.uid} cannot read this checkout or run its node: move it to a folder that everyone may read`;
    throw new Error(what, { cause });
  }
}
