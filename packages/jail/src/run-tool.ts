import { type ChildProcess, type IOType, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { availableParallelism, constants, getPriority } from 'node:os';
import type { Duplex, Readable } from 'node:stream';
import { AssetFailure } from '@assay/contract/asset-failures.ts';
import { listInheritedDescriptors } from './inherited-descriptors.ts';
import { fileByDescriptor, limitArguments, nobodyId, threadsMax, toolDescriptors } from './jail.ts';
import { jailPrograms } from './levels.ts';
import { asMachineFailure, MachineFailure } from './machine-failure.ts';
import { killGroup } from './process/kill-group.ts';
import { setNiceness } from './process/niceness.ts';
import { assembleFilter } from './seccomp-filter.ts';
import type { MemoryNeed } from './source/memory.ts';
import type { Jail, Source, ToolSource } from './source/source.ts';
import type { Architecture } from './system-calls.ts';
import { withMemory } from './with-memory.ts';

export type Tool = {
  /** An absolute path. */
  program: string;
  /** In the arguments, `/in` is the path of the file. */
  args: readonly string[];
  secondsMax: number;
  cpuSecondsMax: number;
  memoryBytesMax: number;
  /**
   * What the tool usually takes, if that is less than its limit: addresses of libraries and threads count towards the
   * limit, but are mostly unused.
   */
  memoryNeed?: MemoryNeed;
  outputBytesMax: number;
  /**
   * For tools that write several streams. The tool writes stream n to descriptor `outletDescriptor(n)`, in its arguments
   * `pipe:<descriptor>`. Outlet n is a function that receives the stream, or a descriptor to which the stream goes.
   */
  outlets?: readonly (((stream: Readable) => void) | number)[];
};

export type ToolEnd = { exitCode: number; stdout: Buffer; stderr: string };

const prlimit = '/usr/bin/prlimit';
const stderrBytesMax = 64 * 1024;
const threadCheckMillis = 100;
/** The most cores that a tool is assumed to use. */
const coresUsedMax = Math.min(4, availableParallelism());

/** For each signal that the kernel sends to a process that exceeds a limit: what the process did. */
const limitSignals: Partial<Record<number, (tool: Tool) => string>> = {
  [constants.signals.SIGSYS]: () => 'made a forbidden system call',
  [constants.signals.SIGXCPU]: ({ cpuSecondsMax }) => `exceeded its CPU limit of ${cpuSecondsMax} s`,
  [constants.signals.SIGXFSZ]: () => 'exceeded its file size limit',
};

export function outletDescriptor(n: number): number {
  return toolDescriptors.firstOutlet + n;
}

/**
 * Runs a program on the file, in the jail and with limits. Returns a non-zero exit code, because only the caller knows
 * what it means. If the program crashes, for example through a decoder bug, the exit code is 128 + the signal number.
 *
 * With `reserveMemory`, waits for memory before it starts the program.
 *
 * @param jailProgram the program that makes the jail, instead of the usual one for this kind
 */
export async function runTool(tool: Tool, source: ToolSource, jailProgram?: string): Promise<ToolEnd> {
  source.signal.throwIfAborted();
  if (!source.reserveMemory) return startTool(tool, source, jailProgram); // at once: callers then close descriptors
  const { memoryNeed = { bytes: tool.memoryBytesMax, isLong: false } } = tool;
  return withMemory(source, memoryNeed, (held) => startTool(tool, held, jailProgram));
}

async function startTool(tool: Tool, source: ToolSource, jailProgram?: string): Promise<ToolEnd> {
  const architecture = requireArchitecture(source.jail);
  const child = spawnTool(tool, source, jailProgram);
  const ended = waitForEnd(child, tool, source); // called first, so that it receives spawn errors
  setNiceness(child.pid, getPriority()); // the niceness of this process, whose session the child has left
  if (architecture) {
    // In a bubblewrap jail, the tool has a different pid and cannot name processes outside the jail.
    sendFilter(child, assembleFilter(architecture, source.jail === 'landlock' ? (child.pid ?? 0) : null));
  }
  if (source.jail === 'bubblewrap') answerGate(child);
  for (const [n, take] of (tool.outlets ?? []).entries()) {
    const stream = child.stdio[outletDescriptor(n)] as Readable | null | undefined;
    if (stream && typeof take === 'function') take(stream); // no stream: the tool failed to start, and `ended` rejects
  }
  return ended;
}

function spawnTool(
  { program, args, outlets = [], ...limits }: Tool,
  { fd, jail }: Pick<Source, 'fd' | 'jail'>,
  jailProgram?: string,
) {
  const command = [
    prlimit,
    ...limitArguments(limits, jail),
    program,
    ...args.map((arg) => (arg === '/in' && jail !== 'bubblewrap' ? fileByDescriptor : arg)),
  ];
  if (jail !== 'none')
    command.unshift(jailProgram ?? jailPrograms[jail].program(), ...jailPrograms[jail].args(program));
  const stdio: (IOType | number)[] = ['ignore', 'pipe', 'pipe', fd];
  // The tool would inherit these descriptors. Each is replaced by the descriptor of the file, which the tool may read
  // anyway.
  for (const inherited of listInheritedDescriptors(stdio.length)) stdio[inherited] = fd;
  if (jail !== 'none') stdio[toolDescriptors.filter] = 'pipe';
  if (jail === 'bubblewrap') stdio[toolDescriptors.gate] = 'pipe';
  for (const [n, outlet] of outlets.entries()) {
    stdio[outletDescriptor(n)] = typeof outlet === 'number' ? outlet : 'pipe';
  }
  const options = {
    // Limits such as the number of threads do not apply to root.
    ...(process.getuid?.() === 0 ? { uid: nobodyId, gid: nobodyId } : {}),
    cwd: '/',
    env: {}, // in a bubblewrap jail, a tool can read the environment of pid 1
    detached: true, // its own process group, which is killed as a whole
    stdio: Array.from(stdio, (kind) => kind ?? 'ignore'),
  };
  try {
    return spawn(command[0] ?? '', command.slice(1), options);
  } catch (cause) {
    throw describeSpawnFailure(cause as Error, jail);
  }
}

function requireArchitecture(jail: Jail): Architecture | null {
  if (jail === 'none') return null;
  const { arch } = process;
  if (arch !== 'x64' && arch !== 'arm64') throw new Error(`the jail supports x64 and arm64, not ${arch}`);
  return arch;
}

/** The process may exit before it reads the data; its exit code then tells why. */
const ignoreError = () => {};

function sendFilter(child: ChildProcess, filter: Buffer): void {
  pipeOf(child, toolDescriptors.filter)?.on('error', ignoreError).end(filter);
}

function pipeOf(child: ChildProcess, descriptor: number): Duplex | undefined {
  return (child.stdio as (Duplex | undefined)[] | undefined)?.[descriptor]; // no pipes if it failed to start
}

/** Replies when the jail's first program asks whether this process is alive. */
function answerGate(child: ChildProcess): void {
  const gate = pipeOf(child, toolDescriptors.gate);
  gate?.on('error', ignoreError).once('data', () => gate.end('\n'));
}

async function waitForEnd(
  child: ChildProcess,
  tool: Tool,
  { signal, jail }: Pick<Source, 'signal' | 'jail'>,
): Promise<ToolEnd> {
  const { promise: ended, resolve, reject } = Promise.withResolvers<number>();
  child.once('error', (cause) => reject(describeSpawnFailure(cause, jail)));
  // Emitted after the exit, when all pipes have ended because no process has them open.
  child.once('close', (code, signalName) => resolve(code ?? 128 + (signalName ? constants.signals[signalName] : 0)));

  const startedAt = performance.now();
  let stoppedBy: { reason: unknown } | undefined;
  const stop = (reason: unknown) => {
    if (stoppedBy) return;
    stoppedBy = { reason };
    killGroup(child);
  };
  const stdoutChunks = collectOutput(child.stdout, tool.outputBytesMax, () =>
    stop(failureOf('resource_limit_exceeded', tool, `wrote more than ${tool.outputBytesMax} bytes`)),
  );
  const stderrChunks = collectOutput(child.stderr, stderrBytesMax, () => {}); // the rest is dropped
  const onTimeout = () => stop(failureOf('analysis_timeout', tool, `took longer than ${tool.secondsMax} s`));
  const timer = setTimeout(onTimeout, tool.secondsMax * 1000);
  const checkThreads = () => {
    if (countThreads(child) > threadsMax)
      stop(failureOf('resource_limit_exceeded', tool, `exceeded its limit of ${threadsMax} threads`));
  };
  const threadTimer = jail === 'landlock' ? setInterval(checkThreads, threadCheckMillis) : undefined;
  const onAbort = () => stop(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const exitCode = await ended;
    if (stoppedBy) throw stoppedBy.reason;
    const violation = limitSignals[exitCode - 128];
    if (violation) throw failureOf('resource_limit_exceeded', tool, violation(tool));
    if (exitCode === 128 + constants.signals.SIGKILL) throw killedFailure(tool, (performance.now() - startedAt) / 1000);
    const stderr = Buffer.concat(stderrChunks).toString();
    if (isSetupFailure(exitCode, stderr)) throw new Error(`${tool.program} could not be run: ${stderr.trim()}`);
    return { exitCode, stdout: Buffer.concat(stdoutChunks), stderr };
  } finally {
    clearTimeout(timer);
    clearInterval(threadTimer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** Keeps up to `bytesMax` bytes. Continues to read after that, because a full pipe would block the tool. */
function collectOutput(stream: ChildProcess['stdout'], bytesMax: number, onMore: () => void): Buffer[] {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  stream?.on('data', (chunk: Buffer) => {
    if (sizeBytes < bytesMax) chunks.push(chunk.subarray(0, bytesMax - sizeBytes));
    sizeBytes += chunk.length;
    if (sizeBytes > bytesMax) onMore();
  });
  return chunks;
}

/** For Landlock jails: without a user namespace, the kernel can only limit the user's total number of threads. */
function countThreads({ pid }: ChildProcess): number {
  const folder = statSync(`/proc/${pid}/task`, { throwIfNoEntry: false });
  return folder ? folder.nlink - 2 : 0; // a folder has two links of its own and one from each subfolder
}

/** Whether the jail or prlimit failed before the tool ran. The file is not the cause of such a failure. */
function isSetupFailure(exitCode: number, stderr: string): boolean {
  return exitCode === 126 || exitCode === 127 || (exitCode !== 0 && /^(bwrap|landlock-jail|prlimit): /.test(stderr));
}

function failureOf(errorType: 'resource_limit_exceeded' | 'analysis_timeout', { program }: Tool, what: string) {
  return new AssetFailure(errorType, `${program} ${what}`);
}

/**
 * Returns the failure of a tool to which the kernel sent SIGKILL, not this process: either the tool ignored SIGXCPU, or
 * the machine ran out of memory. Memory is the cause if the tool cannot have reached its CPU limit in this time.
 */
function killedFailure(tool: Tool, seconds: number): Error {
  if (seconds * coresUsedMax >= tool.cpuSecondsMax)
    return failureOf(
      'resource_limit_exceeded',
      tool,
      `exceeded its CPU limit of ${tool.cpuSecondsMax} s and ignored the signal`,
    );
  return new MachineFailure('killed', `${tool.program} was killed after ${seconds} s: possibly out of memory`);
}

/** Root needs these capabilities because it starts tools as an ordinary user. */
const rootAdvice = '; start the worker as an ordinary user, or with the capabilities SETUID and SETGID';

function describeSpawnFailure(cause: NodeJS.ErrnoException, jail: Jail): Error {
  const isMissing = cause.code === 'ENOENT' && jail !== 'none';
  const what = isMissing
    ? `${jailPrograms[jail].ifMissing}: ${cause.path} not found`
    : `a tool could not be started: ${cause.message}${cause.code === 'EPERM' && process.getuid?.() === 0 ? rootAdvice : ''}`;
  const machine = asMachineFailure(cause);
  return machine ? new MachineFailure(machine.kind, what, { cause }) : new Error(what, { cause });
}
