import type { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { AssetFailure } from '@assay/contract/asset-failures.ts';
import type { Observed } from './observations.ts';
import type { FromThread, ThreadStart, ToThread } from './observing-thread.ts';
import type { WatchedTap } from './signal/observer.ts';

/** When more bytes are queued for the thread, all pipes are paused: ffmpeg waits for the slowest of them anyway. */
const waitingBytesMax = 16 * 1024 * 1024;

export type Observing = {
  /** Passes the output of this tap of a part to the thread. */
  follow(part: number, tap: WatchedTap, stream: Readable): void;
  /** Resolves with the results of each part; to be called after all streams have ended. */
  end(): Promise<Partial<Observed>[]>;
  /** Aborted when the thread fails, so that decoding stops. */
  failed: AbortSignal;
  close(): Promise<void>;
};

/** Starts a thread that observes one decoding. */
export function openObserving(start: ThreadStart): Observing {
  const thread = new Worker(new URL('./observing-thread.ts', import.meta.url), { workerData: start });
  const streams: Readable[] = [];
  const failure = new AbortController();
  const { promise: observed, resolve, reject } = Promise.withResolvers<Partial<Observed>[]>();
  observed.catch(() => {}); // not an unhandled rejection: `failed` reports the error until `end` is called
  let waitingBytes = 0;

  const fail = (error: unknown) => {
    reject(error);
    failure.abort(error);
    for (const stream of streams) stream.resume(); // drain the pipes, or the tool would never exit
  };
  thread.on('error', fail);
  thread.on('exit', () => fail(new Error('the observing thread exited early')));
  thread.on('message', (message: FromThread) => {
    if ('failedAs' in message) return fail(new AssetFailure(message.failedAs, message.reason));
    if ('observed' in message) return resolve(message.observed as Partial<Observed>[]);
    waitingBytes -= message.doneBytes;
    if (waitingBytes < waitingBytesMax / 2) for (const stream of streams) stream.resume();
  });
  const send = (message: ToThread, transfer: ArrayBuffer[] = []) => thread.postMessage(message, transfer);

  return {
    failed: failure.signal,
    follow: (part, tap, stream) => {
      streams.push(stream);
      stream.on('data', (chunk: Buffer<ArrayBuffer>) => {
        if (failure.signal.aborted) return;
        waitingBytes += chunk.length;
        // A chunk with its own buffer is transferred; a chunk in a pooled buffer must be copied.
        const isOwn = chunk.byteLength === chunk.buffer.byteLength;
        const bytes: Uint8Array<ArrayBuffer> = isOwn ? new Uint8Array(chunk.buffer) : Uint8Array.from(chunk);
        send({ part, tap, bytes }, [bytes.buffer]);
        if (waitingBytes > waitingBytesMax) for (const each of streams) each.pause();
      });
    },
    end: () => {
      send('end');
      return observed;
    },
    close: async () => {
      await thread.terminate();
    },
  };
}
