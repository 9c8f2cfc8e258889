import { type ChildProcess, type IOType, spawn } from 'node:child_process';
import { availableParallelism, constants, getPriority } from 'node:os';
import type { Duplex, Readable } from 'node:stream';
import { AssetFailure } from '@assay/contract/asset-failures.ts';
import { cageArguments, descriptors, fileByDescriptor, limitArguments, nobody } from './cage.ts';
import { callFilters } from './call-filter.ts';
import { listInherited } from './inherited-descriptors.ts';
import { asMachineFailure, MachineFailure } from './machine-failure.ts';
import { setNiceness } from './niceness.ts';
import type { Source } from './source.ts';

export type { Cage } from './cage.ts';

export type Tool = {
  /** An absolute path. */
  program: string;
  /** The file is `/in`. */
  args: readonly string[];
  secondsMax: number;
  cpuSecondsMax: number;
  memoryBytesMax: number;
  outputBytesMax: number;
  /**
   * For tools that write more than one stream: the n-th, `pipe:` and `outletDescriptor(n)`, goes to the n-th of these, or
   * to the descriptor that it is.
   */
  outlets?: readonly (((stream: Readable) => void) | number)[];
};

export type ToolEnd = { exitCode: number; stdout: Buffer; stderr: string };

export const bubblewrap = '/usr/bin/bwrap';
const prlimit = '/usr/bin/prlimit';
const complaintsBytesMax = 64 * 1024;
/** No tool is given more threads than this. */
const coresUsedMax = Math.min(4, availableParallelism());

/** Signals by which the kernel ends a process that went too far → what it did. */
const limitSignals: Partial<Record<number, string>> = {
  [constants.signals.SIGSYS]: 'made a system call that is forbidden to it',
  [constants.signals.SIGXCPU]: 'used up its CPU seconds',
  [constants.signals.SIGXFSZ]: 'wrote a larger file than it may',
};

export function outletDescriptor(n: number): number {
  return descriptors.firstOutlet + n;
}

/**
 * Runs a program that looks at the file, caged and within its limits. A non-zero exit code is returned, as only the
 * caller knows what it means; so is 128 + n of one that died of a signal by its own fault, such as a decoder's bug.
 */
export async function runTool(
  tool: Tool,
  source: Pick<Source, 'fd' | 'signal' | 'cage'>,
  cageProgram: string = bubblewrap,
): Promise<ToolEnd> {
  source.signal.throwIfAborted();
  const filter = source.cage === 'none' ? null : callFilterHere();
  const child = start(tool, source, cageProgram);
  const ended = watch(child, tool, source.signal, cageProgram); // first of all it listens for a failure to start
  setNiceness(child.pid, getPriority()); // as this process, whose session it left
  if (filter) letIn(child, filter);
  for (const [n, take] of (tool.outlets ?? []).entries()) {
    const stream = child.stdio[outletDescriptor(n)] as Readable | null | undefined;
    if (stream && typeof take === 'function') take(stream); // without a stream it did not start, which `ended` says
  }
  return ended;
}

function start(
  { program, args, outlets = [], ...limits }: Tool,
  { fd, cage }: Pick<Source, 'fd' | 'cage'>,
  cageProgram: string,
) {
  const limited = [...limitArguments(limits, cage), program];
  const stdio: (IOType | number)[] = ['ignore', 'pipe', 'pipe', fd];
  // What this process was started with would go on to the tool. In its place stands the file that it has anyway.
  for (const inherited of listInherited(stdio.length)) stdio[inherited] = fd;
  if (cage === 'bubblewrap') {
    stdio[descriptors.filter] = 'pipe';
    stdio[descriptors.gate] = 'pipe';
  }
  for (const [n, outlet] of outlets.entries()) {
    stdio[outletDescriptor(n)] = typeof outlet === 'number' ? outlet : 'pipe';
  }
  const options = {
    // As root, limits such as that of threads would not hold.
    ...(process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}),
    cwd: '/',
    env: {}, // nothing of ours: a tool can read that of the cage's first process
    detached: true, // a group of its own, to be killed as one
    stdio: Array.from(stdio, (kind) => kind ?? 'ignore'),
  };
  try {
    return cage === 'bubblewrap'
      ? spawn(cageProgram, [...cageArguments(), prlimit, ...limited, ...args], options)
      : spawn(prlimit, [...limited, ...args.map((arg) => (arg === '/in' ? fileByDescriptor : arg))], options);
  } catch (cause) {
    throw describeSpawnFailure(cause as Error, cageProgram);
  }
}

function callFilterHere(): Buffer {
  const filter = Object.entries(callFilters).find(([architecture]) => architecture === process.arch)?.[1];
  if (!filter) throw new Error(`the cage knows the system calls of x64 and arm64, not those of ${process.arch}`);
  return filter;
}

/** Gives the cage its filter, and says that we live when it asks. */
function letIn(child: ChildProcess, filter: Buffer): void {
  const ignore = () => {}; // it has ended before it took what we send: its exit says why
  const { [descriptors.filter]: filterPipe, [descriptors.gate]: gate } = (child.stdio ?? []) as (Duplex | undefined)[];
  filterPipe?.on('error', ignore).end(filter);
  gate?.on('error', ignore).once('data', () => gate.end('\n'));
}

async function watch(child: ChildProcess, tool: Tool, signal: AbortSignal, cageProgram: string): Promise<ToolEnd> {
  const { promise: ended, resolve, reject } = Promise.withResolvers<number>();
  child.once('error', (cause) => reject(describeSpawnFailure(cause, cageProgram)));
  // Its exit, and the end of its pipes: nobody holds them any more.
  child.once('close', (code, signalName) => resolve(code ?? 128 + (signalName ? constants.signals[signalName] : 0)));

  const beganAt = performance.now();
  let stoppedBy: { reason: unknown } | undefined;
  const stop = (reason: unknown) => {
    if (stoppedBy) return;
    stoppedBy = { reason };
    killGroup(child);
  };
  const output = collect(child.stdout, tool.outputBytesMax, () =>
    stop(failureOf('resource_limit_exceeded', tool, `wrote more than ${tool.outputBytesMax} bytes`)),
  );
  const complaints = collect(child.stderr, complaintsBytesMax, () => {}); // the rest is dropped
  const onTimeout = () => stop(failureOf('analysis_timeout', tool, `took longer than ${tool.secondsMax} s`));
  const timer = setTimeout(onTimeout, tool.secondsMax * 1000);
  const onAbort = () => stop(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const exitCode = await ended;
    if (stoppedBy) throw stoppedBy.reason;
    const offence = limitSignals[exitCode - 128];
    if (offence) throw failureOf('resource_limit_exceeded', tool, offence);
    if (exitCode === 128 + constants.signals.SIGKILL) throw failureOfKilled(tool, (performance.now() - beganAt) / 1000);
    const stderr = Buffer.concat(complaints).toString();
    if (isNotBegun(exitCode, stderr)) throw new Error(`${tool.program} could not be run: ${stderr.trim()}`);
    return { exitCode, stdout: Buffer.concat(output), stderr };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** Keeps so many bytes. It reads on beyond them, as a full pipe would hold the tool up. */
function collect(stream: ChildProcess['stdout'], bytesMax: number, onMore: () => void): Buffer[] {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  stream?.on('data', (chunk: Buffer) => {
    if (sizeBytes < bytesMax) chunks.push(chunk.subarray(0, bytesMax - sizeBytes));
    sizeBytes += chunk.length;
    if (sizeBytes > bytesMax) onMore();
  });
  return chunks;
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // The last of the group has ended already.
  }
}

/** What came before the tool failed, which says nothing of the file. */
function isNotBegun(exitCode: number, stderr: string): boolean {
  return exitCode === 126 || exitCode === 127 || (exitCode !== 0 && /^(bwrap|prlimit): /.test(stderr));
}

function failureOf(errorType: 'resource_limit_exceeded' | 'analysis_timeout', { program }: Tool, what: string) {
  return new AssetFailure(errorType, { cause: new Error(`${program} ${what}`) });
}

/**
 * Nobody of us killed it. The kernel does that to a tool that ignores the signal of its CPU limit, and when memory runs
 * out. It was the second if the tool cannot have used so much CPU in its time.
 */
function failureOfKilled(tool: Tool, seconds: number): Error {
  if (seconds * coresUsedMax >= tool.cpuSecondsMax)
    return failureOf('resource_limit_exceeded', tool, 'used up its CPU seconds, and ignored the signal');
  return new MachineFailure('killed', `${tool.program} was killed after ${seconds} s: is memory running out?`);
}

function describeSpawnFailure(cause: NodeJS.ErrnoException, cageProgram: string): Error {
  const isMissing = cause.code === 'ENOENT' && cause.path === cageProgram;
  const what = isMissing
    ? `bubblewrap is not installed: there is no ${cageProgram} (apt-get install bubblewrap)`
    : `a tool could not be started: ${cause.message}`;
  const machine = asMachineFailure(cause);
  return machine ? new MachineFailure(machine.kind, what, { cause }) : new Error(what, { cause });
}
