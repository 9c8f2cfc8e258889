import { type ChildProcess, type SpawnOptions, type StdioOptions, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { makeScratchFolder } from '../anonymous-file.ts';
import { bubblewrap, visibleArguments } from '../bubblewrap.ts';
import { listInheritedDescriptors } from '../inherited-descriptors.ts';
import { nobodyId, toolDescriptors, visiblePaths } from '../jail.ts';
import { builtLauncher, newestAbi } from '../landlock.ts';
import type { Jail } from '../source/source.ts';
import type { Architecture } from '../system-calls.ts';
import { assembleExaminerFilter, protectThisProcess } from './examiner-filter.ts';

/** What an examiner needs in addition to what every tool needs. Folders include what is below them. */
export type ExaminerPaths = { executable: readonly string[]; readable: readonly string[] };

type Descriptor = Exclude<StdioOptions, string>[number];

/** Sets the parent-death signal, so that the kernel kills the process when the worker dies, even if it is busy. */
const setprivPath = '/usr/bin/setpriv';

const commands: Record<Jail, (paths: ExaminerPaths) => string[]> = {
  bubblewrap: bubblewrapCommand,
  landlock: landlockCommand,
  none: () => [setprivPath, '--pdeathsig', 'KILL', '--'],
};

/**
 * Starts a process as an examiner is started: in a jail in which it can start tools in jails of their own.
 *
 * @param stdio what the descriptors 0 to 3 and 5 of the process are. The jail uses the fourth
 */
export function spawnInExaminerJail(
  jail: Jail,
  command: readonly string[],
  paths: ExaminerPaths,
  { stdio, ...options }: Pick<SpawnOptions, 'env' | 'serialization'> & { stdio: Record<number, Descriptor> },
): ChildProcess {
  const [program = '', ...args] = [...commands[jail](paths), ...command];
  // 'ignore' would let a process inherit what this process has at a descriptor after the first three.
  const nothing = openSync('/dev/null', 'r+');
  const descriptors: Descriptor[] = Array.from({ length: 6 }, (_, n) => stdio[n] ?? nothing);
  for (const inherited of listInheritedDescriptors(descriptors.length)) descriptors[inherited] = nothing;
  if (jail !== 'none') descriptors[toolDescriptors.filter] = 'pipe';
  const child = spawn(program, args, {
    ...options,
    // Root has rights that a jail does not take away, and its limits do not apply.
    ...(jail !== 'none' && process.getuid?.() === 0 ? { uid: nobodyId, gid: nobodyId } : {}),
    cwd: '/',
    detached: true, // signals to the worker's process group must not reach it
    stdio: Array.from(descriptors, (kind) => kind ?? 'ignore'), // where nothing is inherited
  });
  closeSync(nothing);
  const filter = (child.stdio as (Duplex | undefined)[] | undefined)?.[toolDescriptors.filter];
  // The process may exit before it reads the filter; its exit code then tells why.
  if (jail !== 'none') filter?.on('error', () => {}).end(filterFor(jail));
  return child;
}

function filterFor(jail: Jail): Buffer {
  const { arch } = process;
  if (arch !== 'x64' && arch !== 'arm64') throw new Error(`the jail supports x64 and arm64, not ${arch}`);
  return assembleExaminerFilter(arch satisfies Architecture, jail === 'landlock' ? protectThisProcess() : null);
}

/** bubblewrap's arguments. User namespaces stay permitted, because each tool gets a jail of its own inside. */
function bubblewrapCommand({ executable, readable }: ExaminerPaths): string[] {
  return [
    bubblewrap,
    '--unshare-all',
    '--unshare-user',
    '--die-with-parent',
    ...['--cap-drop', 'ALL'],
    ...visibleArguments(),
    ...[...executable, ...readable].flatMap((path) => ['--ro-bind-try', path, path]),
    // Writable, because bubblewrap inside writes the user ids of the tool's namespace to it.
    ...['--proc', '/proc'],
    ...['--dir', '/tmp'], // bubblewrap inside builds the tool's file system there
    ...['--remount-ro', '/'],
    ...['--chdir', '/'],
    ...['--seccomp', `${toolDescriptors.filter}`],
    '--',
  ];
}

function landlockCommand({ executable, readable }: ExaminerPaths): string[] {
  const launcher = builtLauncher();
  const paths = [
    [...visiblePaths.executable, ...executable, launcher],
    [...visiblePaths.readable, ...visiblePaths.readableDevices, ...readable],
    visiblePaths.writableDevices,
  ];
  // Tools open the file that they read once more, so reading what is in the folder of anonymous files must be allowed.
  const start = [launcher, '--examiner', makeScratchFolder()];
  return [...start, `${process.pid}`, `${newestAbi}`, ...paths.map((list) => list.join(':'))];
}
