import type { Call, CallOptions, Remembered } from './call.ts';
import { ApiError, ConnectionError, TimeoutError } from './errors.ts';
import { sleep } from './retry.ts';
import { type Cursor, type Message, messagesOf } from './stream.ts';
import type { AssetUpdate, Event, Submission } from './wire.generated.ts';

export type FollowOptions = Pick<CallOptions, 'signal'> & {
  /** Never open a stream: for networks that hold it back. */
  pollOnly?: boolean | undefined;
};

const pollMs = { first: 1_000, longest: 10_000 };
/** Long enough for a service that is restarted or moved; after that, its absence is an error. */
const absenceMsMax = 120_000;
/** A stream that is opened and brings nothing is not tried for ever: some proxies hold it back. */
const fruitlessStreamsMax = 2;

export const isOver = ({ status }: Pick<Submission, 'status'>) => status === 'complete' || status === 'failed';

/**
 * Every state of a submission until it is over. By the live stream, and where that breaks by asking, until it can be
 * opened again; so it outlives restarts of the service and lost connections.
 */
export async function* follow(
  call: Call,
  submissionId: string,
  { signal, pollOnly = false }: FollowOptions = {},
): AsyncGenerator<Submission, void> {
  const cursor: Cursor = {};
  const presence = watchPresence();
  let fruitless = pollOnly ? fruitlessStreamsMax : 0;
  let submission: Submission | undefined;
  const remembered: Remembered = {};
  for (let waitMs = pollMs.first; ; waitMs = Math.min(waitMs * 1.5, pollMs.longest)) {
    if (fruitless < fruitlessStreamsMax) {
      let isFruitless = true;
      try {
        for await (const message of messagesOf(call, `submission.${submissionId}`, cursor, signal, presence.seen)) {
          isFruitless = false;
          waitMs = pollMs.first;
          submission = applied(submission, message);
          if (!submission) continue;
          if (isOver(submission)) break;
          yield submission;
        }
        fruitless = isFruitless ? fruitless + 1 : 0;
      } catch (error) {
        // One that cannot be opened now may be later; but one whose head does not come is held back.
        if (error instanceof TimeoutError) fruitless += 1;
        else presence.endure(error);
      }
    }
    try {
      submission = await call('getSubmission', { params: [submissionId] }, { signal, maxRetries: 0, remembered });
      presence.seen();
      yield submission;
      if (isOver(submission)) return;
    } catch (error) {
      presence.endure(error);
    }
    await sleep(waitMs, signal);
  }
}

/** Every event of the workspace from now on, as it would be delivered; over lost connections too, each once. */
export async function* followEvents(
  call: Call,
  { signal, onOpen }: Pick<CallOptions, 'signal'> & { onOpen?: (() => void) | undefined } = {},
): AsyncGenerator<Event, void> {
  const { workspaceId } = await call('getMe', { params: [] }, { signal });
  const cursor: Cursor = {};
  const presence = watchPresence();
  const opened = () => {
    presence.seen();
    onOpen?.();
  };
  for (let waitMs = pollMs.first; ; waitMs = Math.min(waitMs * 1.5, pollMs.longest)) {
    try {
      for await (const message of messagesOf(call, `webhooks.${workspaceId}`, cursor, signal, opened)) {
        waitMs = pollMs.first;
        yield message.data as Event;
      }
    } catch (error) {
      presence.endure(error);
    }
    await sleep(waitMs, signal);
  }
}

/** The last state, and what a message says of it. */
export function applied(submission: Submission | undefined, { event, data }: Message): Submission | undefined {
  if (event === 'snapshot') return data as Submission;
  if (!submission) return undefined;
  if (event === 'submission.updated') return { ...submission, ...(data as Partial<Submission>) };
  if (event !== 'asset.updated') return submission;
  const { submissionId, ...update } = data as AssetUpdate;
  const assets = submission.assets.map((asset) => (asset.assetId === update.assetId ? update : asset));
  return { ...submission, assets };
}

/** Passing troubles are endured for a while; anything else, and a trouble that does not pass, is thrown. */
export function watchPresence() {
  // From the first failure on: a stream may be quiet for hours, and whoever takes an event may take his time.
  let awaySince: number | undefined;
  return {
    seen() {
      awaySince = undefined;
    },
    endure(error: unknown) {
      const isPassing =
        error instanceof ApiError ? error.status === 429 || error.status >= 500 : error instanceof ConnectionError;
      awaySince ??= Date.now();
      if (!isPassing || Date.now() - awaySince > absenceMsMax) throw error;
    },
  };
}
