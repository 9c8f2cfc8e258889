import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { constants } from 'node:os';
import { AssetFailure } from '@assay/contract/asset-failures.ts';
import { spawnInExaminerJail } from '@assay/jail/examiner/examiner-jail.ts';
import { MachineFailure } from '@assay/jail/machine-failure.ts';
import { killGroup } from '@assay/jail/process/kill-group.ts';
import { setGroupNiceness, setTreeNiceness } from '@assay/jail/process/niceness.ts';
import { processModule } from '@assay/jail/process/process-module.ts';
import { cpuSecondsOf } from '@assay/jail/process/process-tree.ts';
import type { ReserveMemory } from '@assay/jail/source/memory.ts';
import type { Jail } from '@assay/jail/source/source.ts';
import type { ReportShare } from '../progress.ts';
import type { Examination } from '../run.ts';
import { examinerPaths } from './examiner-paths.ts';
import { examinerProgram } from './examiner-program.ts';
import { type ExaminationRequest, type FromExaminer, fileSocket, type ToExaminer } from './messages.ts';
import { serveMemory } from './serve-memory.ts';

/** Under CPU contention, a low-priority thread gets a ninth of the CPU time of others; a decoder has many threads. */
export const lowPriorityNiceness = 10;
/** A third of the CPU time of a thread with low priority: less, and long files would reach their time limits. */
export const lowestPriorityNiceness = 14;
/** Work that takes longer than this continues with low priority. */
const usualPriorityMillisMax = 1000;
const stderrCharactersMax = 4000;
/** After a stop message, an examiner has this long to end its tools. */
const stopMillis = 2000;
/** Starting takes a tenth of a second. A process that hangs while starting must not block its asset. */
const startMillisMax = 60_000;

export type ExaminerLimits = {
  heapMegabytes: number;
  /** The time limit for files without a duration, and until the duration is known. */
  secondsMin: number;
  /** Added to the time limit for each second of the file's duration. */
  secondsPerSecond: number;
  secondsMax: number;
  /** The jail of the process itself. That of its tools is part of each request. */
  jail: Jail;
};

export type Priority = 'usual' | 'low' | 'lowest';

export type ExaminationWatch = {
  signal: AbortSignal;
  report: ReportShare;
  /** Called when the examination has a process, with a function that returns the CPU time it has used. */
  onStarted?: ((cpuSeconds: () => number) => void) | undefined;
  /** Aborted when the examination must leave the cores to others. It then continues with the lowest priority. */
  background?: AbortSignal | undefined;
};

type MemoryWatch = ExaminationWatch & { reserveMemory: ReserveMemory };

/** The process ended without an answer, and neither a limit nor the kernel explains why. */
export class ExaminerDied extends Error {
  override readonly name = 'ExaminerDied';
  /** The exit code of the process, or the signal that ended it. */
  readonly exit: string;

  constructor(exit: string, message = exit) {
    super(message);
    this.exit = exit;
  }
}

/**
 * A process that examines assets one after another, in a jail and with limits on time and heap. It exits after the first
 * failure. It inherits none of the worker's environment variables.
 */
export type Examiner = {
  ready: Promise<void>;
  /** Rejects when the process has ended, with the failure to report for the asset. */
  ended: Promise<never>;
  examine(request: ExaminationRequest, watch: MemoryWatch, priority: Priority): Promise<Examination>;
  /** The number of assets that the process was given. */
  examinedCount(): number;
  /** A low priority stays low, because only root can raise it again. */
  priority(): Priority;
  kill(): Promise<void>;
};

export function startExaminer(limits: ExaminerLimits, program = examinerProgram()): Examiner {
  const heapLimit = `--max-old-space-size=${limits.heapMegabytes}`;
  const [files, theirFiles] = processModule().openSocketPair();
  const child = spawnInExaminerJail(limits.jail, [process.execPath, heapLimit, program], examinerPaths(), {
    stdio: { 2: 'pipe', 3: 'ipc', [fileSocket]: theirFiles },
    serialization: 'advanced', // keeps typed arrays intact
    // It makes no encrypted connections, so it needs no settings of OpenSSL, which it could not read.
    env: { OPENSSL_CONF: '/dev/null' },
  });
  closeSync(theirFiles);
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-stderrCharactersMax);
  });
  const ended = rejectWhenEnded(child, limits, () => stderr);
  ended.catch(() => closeSync(files)); // also: without a caller that awaits it, its rejection must not be unhandled
  const ready = Promise.race([firstMessage(child), ended]);
  const startLimit = setTimeout(() => killGroup(child), startMillisMax);
  ready.catch(() => {}).finally(() => clearTimeout(startLimit));

  let examinedCount = 0;
  let priority: Priority = 'usual';
  // Threads and tools that the process starts later inherit the priority.
  const lowerPriority = () => {
    if (priority !== 'usual') return;
    priority = 'low';
    setGroupNiceness(child.pid, lowPriorityNiceness);
  };
  const moveToBackground = () => {
    priority = 'lowest';
    setTreeNiceness(child.pid, lowestPriorityNiceness);
  };
  return {
    ready,
    ended,
    examinedCount: () => examinedCount,
    priority: () => priority,
    async examine(request, watch, requested) {
      examinedCount++;
      await ready;
      if (requested === 'low') lowerPriority();
      const timer = setTimeout(lowerPriority, usualPriorityMillisMax);
      watch.background?.addEventListener('abort', moveToBackground, { once: true });
      try {
        if (watch.background?.aborted) moveToBackground();
        const cpuSeconds = () => cpuSecondsOf(child.pid ?? 0);
        const usedBefore = cpuSeconds(); // by earlier assets
        watch.onStarted?.(() => cpuSeconds() - usedBefore);
        return await examineWith({ child, files, ended }, request, watch, limits);
      } finally {
        clearTimeout(timer);
        watch.background?.removeEventListener('abort', moveToBackground);
      }
    },
    async kill() {
      // The group, because bubblewrap could be killed before its processes are tied to it.
      killGroup(child);
      await ended.catch(() => {});
    },
  };
}

async function firstMessage(child: ChildProcess): Promise<void> {
  await once(child, 'message');
}

async function rejectWhenEnded(
  child: ChildProcess,
  { heapMegabytes }: ExaminerLimits,
  stderr: () => string,
): Promise<never> {
  const [code, ownSignal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  const signal = ownSignal ?? signalOfExitCode(code ?? 0);
  const text = `the examiner ended with ${signal ?? code}: ${stderr()}`;
  if (/heap out of memory|ERR_WORKER_OUT_OF_MEMORY/.test(text)) {
    const reason = `the examination needed more than its ${heapMegabytes} MB of JavaScript heap`;
    throw new AssetFailure('resource_limit_exceeded', reason, {
      cause: new Error(text),
      variable: 'EXAMINATION_HEAP_MB',
    });
  }
  if (signal === 'SIGKILL') throw new MachineFailure('killed', text);
  throw new ExaminerDied(`${signal ?? code}`, text);
}

/** bubblewrap, around the examiner, reports a signal that ended it as an exit code. */
function signalOfExitCode(code: number): NodeJS.Signals | null {
  const names = Object.entries(constants.signals) as [NodeJS.Signals, number][];
  return names.find(([, number]) => number === code - 128)?.[0] ?? null;
}

async function examineWith(
  { child, files, ended }: { child: ChildProcess; files: number; ended: Promise<never> },
  { fd, ...request }: ExaminationRequest,
  { signal, report, reserveMemory }: MemoryWatch,
  limits: ExaminerLimits,
): Promise<Examination> {
  const { promise: answered, resolve, reject } = Promise.withResolvers<Examination>();
  const stop = (reason: unknown) => {
    reject(reason);
    if (child.connected) child.send({ kind: 'stop' } satisfies ToExaminer);
    setTimeout(() => killGroup(child), stopMillis).unref();
  };
  const startTimer = (seconds: number) =>
    setTimeout(() => {
      const reason = `the examination took longer than ${seconds} s`;
      stop(new AssetFailure('analysis_timeout', reason, { variable: 'EXAMINATION_SECONDS_MIN' }));
    }, seconds * 1000);
  let timer = startTimer(limits.secondsMin);
  using memory = serveMemory(reserveMemory, (message) => {
    if (child.connected) child.send(message);
  });
  const onMessage = (message: FromExaminer) => {
    if (message.kind === 'share') report(message.share, message.isMeasured);
    else if (message.kind === 'duration') {
      clearTimeout(timer);
      timer = startTimer(timeLimitSeconds(message.seconds, limits));
    } else if (message.kind === 'reserveMemory' || message.kind === 'releaseMemory') memory.serve(message);
    else if (message.kind === 'examined') resolve(message.examination);
    else if (message.kind !== 'ready') reject(errorFromMessage(message));
  };
  child.on('message', onMessage);
  const onAbort = () => stop(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    if (signal.aborted) stop(signal.reason);
    else sendRequest(child, files, fd, request);
    return await Promise.race([answered, ended]);
  } catch (failure) {
    answered.catch(() => {});
    await ended.catch(() => {}); // the examiner ends after its tools, so nothing of this asset is still running
    throw failure;
  } finally {
    child.off('message', onMessage);
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** If the request cannot be sent, the process ends or has ended, and `ended` says why. */
function sendRequest(child: ChildProcess, files: number, fd: number, request: Omit<ExaminationRequest, 'fd'>): void {
  if (!child.connected) return;
  try {
    processModule().sendDescriptor(files, fd); // first, so that it is there when the message arrives
    child.send({ kind: 'examine', request } satisfies ToExaminer);
  } catch {
    killGroup(child);
  }
}

/** The time limit of an examination. It stops files that hang and is far above what other files take. */
export function timeLimitSeconds(durationSeconds: number, limits: ExaminerLimits): number {
  return Math.min(limits.secondsMax, limits.secondsMin + limits.secondsPerSecond * durationSeconds);
}

function errorFromMessage(message: Extract<FromExaminer, { kind: 'assetFailed' | 'machineFailed' | 'failed' }>): Error {
  const cause = new Error(message.message);
  if (message.kind === 'assetFailed') {
    const { errorType, reason, variable } = message;
    return new AssetFailure(errorType, reason, { cause, variable });
  }
  if (message.kind === 'machineFailed') return new MachineFailure(message.failure, message.message);
  return cause;
}
