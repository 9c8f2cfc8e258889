import type { AssetErrorType } from '@assay/contract/asset-failures.ts';
import { CancelledFailure, Context } from '@temporalio/activity';
import { ApplicationFailure, type ApplicationFailureOptions } from '@temporalio/common';
import type { Log } from '../log.ts';
import { Outage } from '../outage.ts';

/** The heartbeat timeout of an activity that is started without one. */
const timeoutMillisDefault = 10_000;
/** Heartbeats per timeout. An activity learns of its cancellation with the next heartbeat. */
const heartbeatsPerTimeout = 5;
/** The longest pause between heartbeats, as a share of the timeout, with which a worker still counts as alive. */
const silenceShareMax = 0.8;

/** The state of a running activity, for the code that does its work. */
export type Activity = {
  signal: AbortSignal;
  /** The queue from which this worker took it. */
  taskQueue: string;
  isCancelled(): boolean;
  /** This worker is being stopped. */
  isStopping(): boolean;
  /** The engine assigned the work elsewhere although heartbeats were on time: the engine was unreachable. */
  wasCutOff(): boolean;
  /** The engine assigned the work elsewhere because heartbeats were late. */
  wasSilent(): boolean;
};

/** Ends an activity. The cause goes to the log, the error type to the engine. */
export class ActivityEnd extends Error {
  readonly end: {
    errorType: AssetErrorType;
    isFinal: boolean;
    waitSeconds?: number | undefined;
    /** Nothing failed: the work is not done yet, because other work comes first. */
    isWait?: boolean | undefined;
  };

  constructor(cause: unknown, end: ActivityEnd['end']) {
    super(end.errorType, { cause });
    this.name = 'ActivityEnd';
    this.end = end;
  }
}

/**
 * Runs work as an activity: sends heartbeats while it runs, and maps failures to documented error types.
 * Other details of an error (file names, paths, text) are logged by us and never sent to the engine.
 */
export function asActivity<Args extends unknown[]>(
  log: Log,
  work: (activity: Activity, ...args: Args) => Promise<void>,
) {
  return async (...args: Args): Promise<void> => {
    const context = Context.current();
    const { isLocal, attempt } = context.info;
    const beats = { longestPauseMillis: 0 };
    const silenceMillisMax = silenceShareMax * heartbeatTimeoutMillis();
    const isReassigned = () => {
      const { notFound = false, timedOut = false } = context.cancellationDetails ?? {};
      return notFound || timedOut;
    };
    const activity: Activity = {
      signal: context.cancellationSignal,
      taskQueue: context.info.taskQueue,
      isCancelled: () => context.cancellationDetails?.cancelRequested === true,
      isStopping: () => context.cancellationDetails?.workerShutdown === true,
      wasCutOff: () => isReassigned() && beats.longestPauseMillis < silenceMillisMax,
      wasSilent: () => isReassigned() && beats.longestPauseMillis >= silenceMillisMax,
    };
    try {
      await (isLocal ? work(activity, ...args) : withHeartbeat(() => work(activity, ...args), beats));
    } catch (error) {
      if (activity.isCancelled()) throw new CancelledFailure('cancelled');
      const { errorType, isFinal, waitSeconds, isWait } =
        error instanceof ActivityEnd ? error.end : retryableEnd(error);
      if (isWait) log.debug({ err: error, args, waitSeconds }, 'an activity waits');
      else log.warn({ err: error, args, errorType, engineAttempt: attempt }, 'an activity failed');
      const nextRetryDelay = waitSeconds === undefined ? {} : { nextRetryDelay: waitSeconds * 1000 };
      throw withoutTrace(errorType, { nonRetryable: isFinal, ...nextRetryDelay });
    }
  };
}

/** Sends a heartbeat to the engine at regular intervals while the work runs. */
export async function withHeartbeat<T>(
  work: () => Promise<T>,
  beats: { longestPauseMillis: number } = { longestPauseMillis: 0 },
): Promise<T> {
  const context = Context.current();
  let lastAt = performance.now();
  const timer = setInterval(() => {
    context.heartbeat();
    const now = performance.now();
    beats.longestPauseMillis = Math.max(beats.longestPauseMillis, now - lastAt);
    lastAt = now;
  }, heartbeatTimeoutMillis() / heartbeatsPerTimeout);
  return work().finally(() => clearInterval(timer));
}

/** The engine considers a worker dead after this time without a heartbeat. */
function heartbeatTimeoutMillis(): number {
  return Context.current().info.heartbeatTimeoutMs || timeoutMillisDefault;
}

/** A failure without a stack trace: the engine stores failures, and a trace contains the operator's paths. */
export function withoutTrace(
  type: string,
  rest: Omit<ApplicationFailureOptions, 'type' | 'message'>,
): ApplicationFailure {
  const failure = ApplicationFailure.create({ type, message: type, ...rest });
  failure.stack = '';
  return failure;
}

/** Unexpected errors are never final: without its database steps an asset would never finish. */
function retryableEnd(error: unknown): ActivityEnd['end'] {
  return { errorType: error instanceof Outage ? 'engine_unavailable' : 'internal_error', isFinal: false };
}
