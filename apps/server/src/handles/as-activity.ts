import type { AssetErrorType } from '@assay/contract/asset-failures.ts';
import { Refusal } from '@assay/contract/refusals.ts';
import { CancelledFailure, Context } from '@temporalio/activity';
import { ApplicationFailure, type ApplicationFailureOptions } from '@temporalio/common';
import type { Log } from './log.ts';

const heartbeatMillis = 2000;
/** A process that was silent for longer may have been taken for dead. */
const silenceMillisMax = 8000;

/** What the work of an activity is told of its run. */
export type Activity = {
  signal: AbortSignal;
  isCancelled(): boolean;
  /** This worker is being stopped. */
  isStopping(): boolean;
  /** The engine has given the work to another although this process was never silent: it could not be reached. */
  wasCutOff(): boolean;
  /** The engine has given the work to another because this process was silent. */
  wasSilent(): boolean;
};

/** Ends an activity with this error, which goes to the log, and this type, which goes to the engine. */
export class ActivityEnd extends Error {
  readonly end: { errorType: AssetErrorType; isFinal: boolean; waitSeconds?: number | undefined };

  constructor(cause: unknown, end: ActivityEnd['end']) {
    super(end.errorType, { cause });
    this.name = 'ActivityEnd';
    this.end = end;
  }
}

/**
 * Runs work as an activity: with a heartbeat while it lasts, and with failures in the words of the one table.
 * Whatever else an error says (a file name, a path, a piece of text) goes to our log and never to the engine.
 */
export function asActivity<Args extends unknown[]>(
  log: Log,
  work: (activity: Activity, ...args: Args) => Promise<void>,
) {
  return async (...args: Args): Promise<void> => {
    const context = Context.current();
    const { isLocal, attempt } = context.info;
    const beats = { longestPauseMillis: 0 };
    const isGivenAway = () => {
      const { notFound = false, timedOut = false } = context.cancellationDetails ?? {};
      return notFound || timedOut;
    };
    const activity: Activity = {
      signal: context.cancellationSignal,
      isCancelled: () => context.cancellationDetails?.cancelRequested === true,
      isStopping: () => context.cancellationDetails?.workerShutdown === true,
      wasCutOff: () => isGivenAway() && beats.longestPauseMillis < silenceMillisMax,
      wasSilent: () => isGivenAway() && beats.longestPauseMillis >= silenceMillisMax,
    };
    try {
      await (isLocal ? work(activity, ...args) : withHeartbeat(() => work(activity, ...args), beats));
    } catch (error) {
      if (activity.isCancelled()) throw new CancelledFailure('cancelled');
      const { errorType, isFinal, waitSeconds } = error instanceof ActivityEnd ? error.end : retried(error);
      log.warn({ err: error, args, errorType, engineAttempt: attempt }, 'an activity failed');
      const nextRetryDelay = waitSeconds === undefined ? {} : { nextRetryDelay: waitSeconds * 1000 };
      throw withoutTrace(errorType, { nonRetryable: isFinal, ...nextRetryDelay });
    }
  };
}

/** Tells the engine every so often that the work goes on. */
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
  }, heartbeatMillis);
  return work().finally(() => clearInterval(timer));
}

/** The engine keeps what it is told, the trace too, and that names the files of whoever runs us: it hears the type alone. */
export function withoutTrace(
  type: string,
  rest: Omit<ApplicationFailureOptions, 'type' | 'message'>,
): ApplicationFailure {
  const failure = ApplicationFailure.create({ type, message: type, ...rest });
  failure.stack = '';
  return failure;
}

/** A step of the database alone is tried for ever: without it an asset would never end. */
function retried(error: unknown): ActivityEnd['end'] {
  return { errorType: error instanceof Refusal ? 'engine_unavailable' : 'internal_error', isFinal: false };
}
