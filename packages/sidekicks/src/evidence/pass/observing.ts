import type { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { AssetFailure } from '@assay/contract/asset-failures.ts';
import type { Seen } from './observations.ts';
import type { WatchedTap } from './observer.ts';
import type { FromThread, ThreadStart, ToThread } from './observing-thread.ts';

/** So much may wait for the thread; then all pipes rest, as ffmpeg waits for the slowest of them anyway. */
const waitingBytesMax = 16 * 1024 * 1024;

export type Observing = {
  /** Lets the thread look at what comes out of this tap. */
  follow(tap: WatchedTap, stream: Readable): void;
  /** What was seen, once all streams have ended. */
  end(): Promise<Partial<Seen>>;
  /** Fires when the thread has failed, so that nobody goes on decoding for it. */
  failed: AbortSignal;
  close(): Promise<void>;
};

/** A thread that watches one decoding. */
export function openObserving(start: ThreadStart): Observing {
  const thread = new Worker(new URL('./observing-thread.ts', import.meta.url), { workerData: start });
  const streams: Readable[] = [];
  const failure = new AbortController();
  const { promise: seen, resolve, reject } = Promise.withResolvers<Partial<Seen>>();
  seen.catch(() => {}); // who waits for it is told; before that, `failed` tells
  let waitingBytes = 0;

  const fail = (error: unknown) => {
    reject(error);
    failure.abort(error);
    for (const stream of streams) stream.resume(); // what is left runs out, or the tool would never end
  };
  thread.on('error', fail);
  thread.on('exit', () => fail(new Error('the observing thread has ended')));
  thread.on('message', (message: FromThread) => {
    if ('failedAs' in message) return fail(new AssetFailure(message.failedAs));
    if ('seen' in message) return resolve(message.seen as Partial<Seen>);
    waitingBytes -= message.doneBytes;
    if (waitingBytes < waitingBytesMax / 2) for (const stream of streams) stream.resume();
  });
  const send = (message: ToThread, transfer: ArrayBuffer[] = []) => thread.postMessage(message, transfer);

  return {
    failed: failure.signal,
    follow: (tap, stream) => {
      streams.push(stream);
      stream.on('data', (chunk: Buffer<ArrayBuffer>) => {
        if (failure.signal.aborted) return;
        waitingBytes += chunk.length;
        // A piece that has its memory to itself is handed over; one of a pool is copied.
        const isOwn = chunk.byteLength === chunk.buffer.byteLength;
        const bytes: Uint8Array<ArrayBuffer> = isOwn ? new Uint8Array(chunk.buffer) : Uint8Array.from(chunk);
        send({ tap, bytes }, [bytes.buffer]);
        if (waitingBytes > waitingBytesMax) for (const each of streams) each.pause();
      });
    },
    end: () => {
      send('end');
      return seen;
    },
    close: async () => {
      await thread.terminate();
    },
  };
}
