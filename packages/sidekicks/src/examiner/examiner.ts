import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AssetFailure } from '@assay/contract/asset-failures.ts';
import { mediaTypeOfFilename } from '@assay/contract/media-types.ts';
import { MachineFailure } from '../evidence/machine-failure.ts';
import { setNiceness } from '../evidence/niceness.ts';
import type { Examination } from '../run.ts';
import type { ExaminationRequest, FromExaminer, ToExaminer } from './messages.ts';

const program = join(import.meta.dirname, 'process.ts');
/** Sets the signal that the kernel sends when the worker dies, whatever the examiner is doing then. */
const setpriv = '/usr/bin/setpriv';
/** While cores are short, long work gets a fifth of what short work gets: enough to go on, and others are not held up. */
const nicenessOfLongWork = 7;
/** What takes longer than this is long work, whatever it is. */
const shortMillisMax = 1000;
const complaintCharactersMax = 4000;
/** How long an examiner that was told to stop may take to end its tools. */
const stopMillis = 2000;
/** It takes a third of a second; one that hangs must not hold its asset. */
const startMillisMax = 60_000;

export type ExaminerLimits = {
  heapMegabytes: number;
  /** Of a file that does not play, and of one whose duration is not known yet. */
  secondsMin: number;
  /** For each second that the file plays. */
  secondsPerSecond: number;
  secondsMax: number;
};

export type Watch = { signal: AbortSignal; report: (share: number) => void };

/** The process ended without an answer, and neither limits nor the kernel say why. */
export class ExaminerDied extends Error {
  override readonly name = 'ExaminerDied';
}

/**
 * A process that examines assets one after another, with limits of time and heap. It ends with the first that does not
 * succeed. Nothing of ours is in its environment.
 */
export type Examiner = {
  ready: Promise<void>;
  /** Rejects when the process has ended, with what that means for the asset. */
  ended: Promise<never>;
  examine(request: ExaminationRequest, watch: Watch): Promise<Examination>;
  /** How many it has been given. */
  examinedCount(): number;
  /** Whether it runs at the priority of long work, from which it does not come back. */
  hasGivenWay(): boolean;
  kill(): Promise<void>;
};

export function startExaminer(limits: ExaminerLimits): Examiner {
  const cacheFolder = getCompileCacheDir();
  const heapLimit = `--max-old-space-size=${limits.heapMegabytes}`;
  const child = spawn(setpriv, ['--pdeathsig', 'KILL', '--', process.execPath, heapLimit, program], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced', // bytes arrive as bytes
    detached: true, // signals to the worker's group are for the worker
    env: { TMPDIR: tmpdir(), ...(cacheFolder && { NODE_COMPILE_CACHE: cacheFolder }) },
  });
  let complaints = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(-complaintCharactersMax);
  });
  const ended = endOf(child, () => complaints);
  ended.catch(() => {}); // who waits for an answer is told
  const ready = Promise.race([firstMessage(child), ended]);
  const startLimit = setTimeout(() => child.kill('SIGKILL'), startMillisMax);
  ready.catch(() => {}).finally(() => clearTimeout(startLimit));

  let examinedCount = 0;
  let hasGivenWay = false;
  // Its threads and tools that start from now on inherit it.
  const giveWay = () => {
    if (hasGivenWay) return;
    hasGivenWay = true;
    setNiceness(child.pid, nicenessOfLongWork);
  };
  return {
    ready,
    ended,
    examinedCount: () => examinedCount,
    hasGivenWay: () => hasGivenWay,
    async examine(request, watch) {
      examinedCount++;
      await ready;
      if (isLongWork(request)) giveWay();
      const timer = setTimeout(giveWay, shortMillisMax);
      try {
        return await examineWith(child, ended, request, watch, limits);
      } finally {
        clearTimeout(timer);
      }
    },
    async kill() {
      child.kill('SIGKILL');
      await ended.catch(() => {});
    },
  };
}

/** What plays is decoded from beginning to end. */
export function isLongWork({ filename }: ExaminationRequest): boolean {
  const category = mediaTypeOfFilename(filename)?.category;
  return category === 'audio' || category === 'video';
}

async function firstMessage(child: ChildProcess): Promise<void> {
  await once(child, 'message');
}

async function endOf(child: ChildProcess, complaints: () => string): Promise<never> {
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  const text = `the examiner ended with ${signal ?? code}: ${complaints()}`;
  if (/heap out of memory|ERR_WORKER_OUT_OF_MEMORY/.test(text))
    throw new AssetFailure('resource_limit_exceeded', { cause: new Error(text) });
  if (signal === 'SIGKILL') throw new MachineFailure('killed', text);
  throw new ExaminerDied(text);
}

async function examineWith(
  child: ChildProcess,
  ended: Promise<never>,
  request: ExaminationRequest,
  { signal, report }: Watch,
  limits: ExaminerLimits,
): Promise<Examination> {
  const { promise: answered, resolve, reject } = Promise.withResolvers<Examination>();
  const stop = (reason: unknown) => {
    reject(reason);
    if (child.connected) child.send({ kind: 'stop' } satisfies ToExaminer);
    setTimeout(() => child.kill('SIGKILL'), stopMillis).unref();
  };
  const allow = (seconds: number) =>
    setTimeout(() => {
      const cause = new Error(`took longer than ${seconds} s`);
      stop(new AssetFailure('analysis_timeout', { cause }));
    }, seconds * 1000);
  let timer = allow(limits.secondsMin);
  const onMessage = (message: FromExaminer) => {
    if (message.kind === 'share') report(message.share);
    else if (message.kind === 'duration') {
      clearTimeout(timer);
      timer = allow(secondsFor(message.seconds, limits));
    } else if (message.kind === 'examined') resolve(message.examination);
    else if (message.kind !== 'ready') reject(failureOf(message));
  };
  child.on('message', onMessage);
  const onAbort = () => stop(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    if (signal.aborted) stop(signal.reason);
    else child.send({ kind: 'examine', request } satisfies ToExaminer);
    return await Promise.race([answered, ended]);
  } catch (failure) {
    answered.catch(() => {});
    await ended.catch(() => {}); // its tools end before it does: nothing of this asset goes on
    throw failure;
  } finally {
    child.off('message', onMessage);
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** How long an examination may take: a bound against what hangs, far above what an honest file takes. */
export function secondsFor(playsSeconds: number, limits: ExaminerLimits): number {
  return Math.min(limits.secondsMax, limits.secondsMin + limits.secondsPerSecond * playsSeconds);
}

function failureOf(message: Exclude<FromExaminer, { kind: 'ready' | 'share' | 'duration' | 'examined' }>): Error {
  const cause = new Error(message.message);
  if (message.kind === 'assetFailed') return new AssetFailure(message.errorType, { cause });
  if (message.kind === 'machineFailed') return new MachineFailure(message.failure, message.message);
  return cause;
}
