import { type AssetErrorType, AssetFailure, assetFailures } from '@assay/contract/asset-failures.ts';
import { Refusal } from '@assay/contract/refusals.ts';
import { CancelledFailure, Context } from '@temporalio/activity';
import { ApplicationFailure, type ApplicationFailureOptions } from '@temporalio/common';
import { BlobChanged } from './blob-failures.ts';
import type { Log } from './log.ts';

const heartbeatMillis = 2000;
const attemptsMax = 5;

/**
 * Runs work as an activity: with a heartbeat while it lasts, and with failures in the words of the one table.
 * Whatever else an error says (a file name, a path, a piece of text) goes to our log and never to the engine.
 */
export function asActivity<Args extends unknown[]>(
  log: Log,
  work: (signal: AbortSignal, ...args: Args) => Promise<void>,
) {
  return async (...args: Args): Promise<void> => {
    const context = Context.current();
    const { isLocal, attempt } = context.info;
    const run = () => work(context.cancellationSignal, ...args);
    try {
      await (isLocal ? run() : withHeartbeat(run));
    } catch (error) {
      if (context.cancellationDetails?.cancelRequested) throw new CancelledFailure('cancelled');
      const errorType = errorTypeOf(error, context);
      log.warn({ err: error, args, errorType, engineAttempt: attempt }, 'an activity failed');
      // An outage is waited out; what fails again and again is not. A step of the database alone goes on for ever:
      // without it an asset would never end.
      const isHopeless = errorType !== 'engine_unavailable' && attempt >= attemptsMax;
      const nonRetryable = !isLocal && (isHopeless || !assetFailures[errorType].isRetryable);
      throw withoutTrace(errorType, { nonRetryable });
    }
  };
}

/** Tells the engine every so often that the work goes on. */
export async function withHeartbeat<T>(work: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), heartbeatMillis);
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

function errorTypeOf(error: unknown, context: Context): AssetErrorType {
  if (error instanceof AssetFailure) return error.errorType;
  if (error instanceof BlobChanged) return 'blob_changed';
  // A part is down, or this worker is: either way somebody else may do it later.
  if (error instanceof Refusal || context.cancellationDetails?.workerShutdown) return 'engine_unavailable';
  return 'internal_error';
}
