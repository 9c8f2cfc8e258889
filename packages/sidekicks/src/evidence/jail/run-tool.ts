import { type ChildProcess, type IOType, spawn } from 'node:child_process';
import { availableParallelism, constants, getPriority } from 'node:os';
import type { Duplex, Readable } from 'node:stream';
import { AssetFailure } from '@assay/contract/asset-failures.ts';
import type { Source } from '../source/source.ts';
import { listInheritedDescriptors } from './inherited-descriptors.ts';
import { descriptors, fileByDescriptor, jailArguments, limitArguments, nobody } from './jail.ts';
import { asMachineFailure, MachineFailure } from './machine-failure.ts';
import { setNiceness } from './niceness.ts';
import { seccompFilters } from './seccomp-filter.ts';

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
   * For tools that write several streams. Stream n is `pipe:` and `outletDescriptor(n)` in the arguments. It goes to
   * function n, or to descriptor n if that is a number.
   */
  outlets?: readonly (((stream: Readable) => void) | number)[];
};

export type ToolEnd = { exitCode: number; stdout: Buffer; stderr: string };

export const bubblewrap = '/usr/bin/bwrap';
const prlimit = '/usr/bin/prlimit';
const stderrBytesMax = 64 * 1024;
/** No tool gets more threads than this. */
const coresUsedMax = Math.min(4, availableParallelism());

/** Signals that the kernel sends to a process that exceeds a limit → what the process did. */
const limitSignals: Partial<Record<number, string>> = {
  [constants.signals.SIGSYS]: 'made a forbidden system call',
  [constants.signals.SIGXCPU]: 'exceeded its CPU limit',
  [constants.signals.SIGXFSZ]: 'exceeded its file size limit',
};

export function outletDescriptor(n: number): number {
  return descriptors.firstOutlet + n;
}

/**
 * Runs a program on the file, in the jail and with limits. Returns a non-zero exit code, because only the caller knows
 * what it means. If the program crashes, such as by a bug in a decoder, the exit code is 128 + the signal number.
 */
export async function runTool(
  tool: Tool,
  source: Pick<Source, 'fd' | 'signal' | 'jail'>,
  jailProgram: string = bubblewrap,
): Promise<ToolEnd> {
  source.signal.throwIfAborted();
  const filter = source.jail === 'none' ? null : requireSeccompFilter();
  const child = start(tool, source, jailProgram);
  const ended = watch(child, tool, source.signal, jailProgram); // called first, so that it receives an error of spawn
  setNiceness(child.pid, getPriority()); // like this process, whose session it has left
  if (filter) openGate(child, filter);
  for (const [n, take] of (tool.outlets ?? []).entries()) {
    const stream = child.stdio[outletDescriptor(n)] as Readable | null | undefined;
    if (stream && typeof take === 'function') take(stream); // no stream: it failed to start, and `ended` rejects
  }
  return ended;
}

function start(
  { program, args, outlets = [], ...limits }: Tool,
  { fd, jail }: Pick<Source, 'fd' | 'jail'>,
  jailProgram: string,
) {
  const limited = [...limitArguments(limits, jail), program];
  const stdio: (IOType | number)[] = ['ignore', 'pipe', 'pipe', fd];
  // The tool would inherit these. The file replaces them: the tool has access to it anyway.
  for (const inherited of listInheritedDescriptors(stdio.length)) stdio[inherited] = fd;
  if (jail === 'bubblewrap') {
    stdio[descriptors.filter] = 'pipe';
    stdio[descriptors.gate] = 'pipe';
  }
  for (const [n, outlet] of outlets.entries()) {
    stdio[outletDescriptor(n)] = typeof outlet === 'number' ? outlet : 'pipe';
  }
  const options = {
    // Limits such as the number of threads do not apply to root.
    ...(process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}),
    cwd: '/',
    env: {}, // a tool can read the environment of pid 1 in the jail
    detached: true, // its own process group, which is killed as a whole
    stdio: Array.from(stdio, (kind) => kind ?? 'ignore'),
  };
  try {
    return jail === 'bubblewrap'
      ? spawn(jailProgram, [...jailArguments(), prlimit, ...limited, ...args], options)
      : spawn(prlimit, [...limited, ...args.map((arg) => (arg === '/in' ? fileByDescriptor : arg))], options);
  } catch (cause) {
    throw describeSpawnFailure(cause as Error, jailProgram);
  }
}

function requireSeccompFilter(): Buffer {
  const filter = Object.entries(seccompFilters).find(([architecture]) => architecture === process.arch)?.[1];
  if (!filter) throw new Error(`the jail supports x64 and arm64, not ${process.arch}`);
  return filter;
}

/** Sends the seccomp filter to the jail, and replies when the gate asks whether this process is alive. */
function openGate(child: ChildProcess, filter: Buffer): void {
  const ignore = () => {}; // it exited before it read the data; its exit code tells why
  const { [descriptors.filter]: filterPipe, [descriptors.gate]: gate } = (child.stdio ?? []) as (Duplex | undefined)[];
  filterPipe?.on('error', ignore).end(filter);
  gate?.on('error', ignore).once('data', () => gate.end('\n'));
}

async function watch(child: ChildProcess, tool: Tool, signal: AbortSignal, jailProgram: string): Promise<ToolEnd> {
  const { promise: ended, resolve, reject } = Promise.withResolvers<number>();
  child.once('error', (cause) => reject(describeSpawnFailure(cause, jailProgram)));
  // Emitted after the exit and the end of all pipes, when no process holds them any longer.
  child.once('close', (code, signalName) => resolve(code ?? 128 + (signalName ? constants.signals[signalName] : 0)));

  const startedAt = performance.now();
  let stoppedBy: { reason: unknown } | undefined;
  const stop = (reason: unknown) => {
    if (stoppedBy) return;
    stoppedBy = { reason };
    killGroup(child);
  };
  const stdoutChunks = collect(child.stdout, tool.outputBytesMax, () =>
    stop(failureOf('resource_limit_exceeded', tool, `wrote more than ${tool.outputBytesMax} bytes`)),
  );
  const stderrChunks = collect(child.stderr, stderrBytesMax, () => {}); // the rest is dropped
  const onTimeout = () => stop(failureOf('analysis_timeout', tool, `took longer than ${tool.secondsMax} s`));
  const timer = setTimeout(onTimeout, tool.secondsMax * 1000);
  const onAbort = () => stop(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const exitCode = await ended;
    if (stoppedBy) throw stoppedBy.reason;
    const violation = limitSignals[exitCode - 128];
    if (violation) throw failureOf('resource_limit_exceeded', tool, violation);
    if (exitCode === 128 + constants.signals.SIGKILL) throw killedFailure(tool, (performance.now() - startedAt) / 1000);
    const stderr = Buffer.concat(stderrChunks).toString();
    if (isSetupFailure(exitCode, stderr)) throw new Error(`${tool.program} could not be run: ${stderr.trim()}`);
    return { exitCode, stdout: Buffer.concat(stdoutChunks), stderr };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** Keeps up to `bytesMax` bytes. Reads on after that, because a full pipe would block the tool. */
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
    // All processes of the group have exited.
  }
}

/** The jail or prlimit failed before the tool ran, which is not due to the file. */
function isSetupFailure(exitCode: number, stderr: string): boolean {
  return exitCode === 126 || exitCode === 127 || (exitCode !== 0 && /^(bwrap|prlimit): /.test(stderr));
}

function failureOf(errorType: 'resource_limit_exceeded' | 'analysis_timeout', { program }: Tool, what: string) {
  return new AssetFailure(errorType, { cause: new Error(`${program} ${what}`) });
}

/**
 * The kernel sent SIGKILL, not this process: either the tool ignored SIGXCPU, or the machine ran out of memory. It was
 * memory if the tool cannot have used its CPU limit in this time.
 */
function killedFailure(tool: Tool, seconds: number): Error {
  if (seconds * coresUsedMax >= tool.cpuSecondsMax)
    return failureOf('resource_limit_exceeded', tool, 'exceeded its CPU limit and ignored the signal');
  return new MachineFailure('killed', `${tool.program} was killed after ${seconds} s: possibly out of memory`);
}

function describeSpawnFailure(cause: NodeJS.ErrnoException, jailProgram: string): Error {
  const isMissing = cause.code === 'ENOENT' && cause.path === jailProgram;
  const what = isMissing
    ? `bubblewrap is not installed: ${jailProgram} not found (apt-get install bubblewrap)`
    : `a tool could not be started: ${cause.message}`;
  const machine = asMachineFailure(cause);
  return machine ? new MachineFailure(machine.kind, what, { cause }) : new Error(what, { cause });
}
