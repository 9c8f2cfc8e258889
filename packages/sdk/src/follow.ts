import type { CachedResponse, Call, CallOptions } from './call.ts';
import { ApiError, ConnectionError, TimeoutError } from './errors.ts';
import { sleep } from './retry.ts';
import { type Cursor, type Message, readMessages } from './stream.ts';
import type { AssetUpdate, Event, Submission } from './wire.generated.ts';

export type FollowOptions = Pick<CallOptions, 'signal'> & {
  /** Polls without ever opening a stream: for networks that buffer streams. */
  pollOnly?: boolean | undefined;
};

const pollIntervalsMs = { first: 1_000, longest: 10_000 };
/** Long enough for a restart of the service; a longer outage is an error. */
const outageMsMax = 120_000;
/** After this many streams without a message, only polling is used: some proxies buffer streams. */
const emptyStreamsMax = 2;

export const isFinished = ({ status }: Pick<Submission, 'status'>) => status === 'complete' || status === 'failed';

/**
 * Every state of a submission until it finishes. Uses the live stream, and polls while the stream is unavailable, so
 * that it survives restarts of the service and lost connections.
 */
export async function* follow(
  call: Call,
  submissionId: string,
  { signal, pollOnly = false }: FollowOptions = {},
): AsyncGenerator<Submission, void> {
  const cursor: Cursor = {};
  const outage = trackOutage();
  let emptyStreams = pollOnly ? emptyStreamsMax : 0;
  let submission: Submission | undefined;
  const cached: CachedResponse = {};
  for (let waitMs = pollIntervalsMs.first; ; waitMs = Math.min(waitMs * 1.5, pollIntervalsMs.longest)) {
    if (emptyStreams < emptyStreamsMax) {
      let isEmpty = true;
      try {
        for await (const message of readMessages(call, `submission.${submissionId}`, cursor, signal, outage.end)) {
          isEmpty = false;
          waitMs = pollIntervalsMs.first;
          submission = applyMessage(submission, message);
          if (!submission) continue;
          if (isFinished(submission)) break;
          yield submission;
        }
        emptyStreams = isEmpty ? emptyStreams + 1 : 0;
      } catch (error) {
        // A failed connection may work later, but a stream whose headers never arrive is buffered by a proxy.
        if (error instanceof TimeoutError) emptyStreams += 1;
        else outage.tolerate(error);
      }
    }
    try {
      submission = await call('getSubmission', { params: [submissionId] }, { signal, maxRetries: 0, cached });
      outage.end();
      yield submission;
      if (isFinished(submission)) return;
    } catch (error) {
      outage.tolerate(error);
    }
    await sleep(waitMs, signal);
  }
}

/** Every new event of the workspace as a webhook would deliver it, exactly once even after lost connections. */
export async function* followEvents(
  call: Call,
  { signal, onOpen }: Pick<CallOptions, 'signal'> & { onOpen?: (() => void) | undefined } = {},
): AsyncGenerator<Event, void> {
  const { workspaceId } = await call('getMe', { params: [] }, { signal });
  const cursor: Cursor = {};
  const outage = trackOutage();
  const opened = () => {
    outage.end();
    onOpen?.();
  };
  for (let waitMs = pollIntervalsMs.first; ; waitMs = Math.min(waitMs * 1.5, pollIntervalsMs.longest)) {
    try {
      for await (const message of readMessages(call, `webhooks.${workspaceId}`, cursor, signal, opened)) {
        waitMs = pollIntervalsMs.first;
        yield message.data as Event;
      }
    } catch (error) {
      outage.tolerate(error);
    }
    await sleep(waitMs, signal);
  }
}

/** The last known state of the submission, updated with a message. */
export function applyMessage(submission: Submission | undefined, { event, data }: Message): Submission | undefined {
  if (event === 'snapshot') return data as Submission;
  if (!submission) return undefined;
  if (event === 'submission.updated') return { ...submission, ...(data as Partial<Submission>) };
  if (event !== 'asset.updated') return submission;
  const { submissionId, ...update } = data as AssetUpdate;
  const assets = submission.assets.map((asset) => (asset.assetId === update.assetId ? update : asset));
  return { ...submission, assets };
}

/** Tolerates transient errors until they have lasted too long; throws all other errors immediately. */
export function trackOutage() {
  // Measured from the first failure: a healthy stream can be silent for hours.
  let startedAt: number | undefined;
  return {
    end() {
      startedAt = undefined;
    },
    tolerate(error: unknown, isTransient = isTransientError(error)) {
      startedAt ??= Date.now();
      if (!isTransient || Date.now() - startedAt > outageMsMax) throw error;
    },
  };
}

function isTransientError(error: unknown): boolean {
  return error instanceof ApiError ? error.status === 429 || error.status >= 500 : error instanceof ConnectionError;
}
