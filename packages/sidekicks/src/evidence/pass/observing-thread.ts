import { parentPort, workerData } from 'node:worker_threads';
import { type AssetErrorType, AssetFailure } from '@assay/contract/asset-failures.ts';
import { type ObservationName, observations } from './observations.ts';
import type { Film, Observer, WatchedTap } from './observer.ts';
import { createTapReaders } from './tap-readers.ts';

export type ThreadStart = { film: Film; names: readonly ObservationName[] };
/** Bytes of a tap, or that there are no more. */
export type ToThread = { tap: WatchedTap; bytes: Uint8Array } | 'end';
/** How many bytes were looked at, what each observer has seen, or what is wrong with the file. */
export type FromThread = { doneBytes: number } | { seen: Record<string, unknown> } | { failedAs: AssetErrorType };

// Observers count pixels: on a thread of their own, so that the worker still hears its heart beat.
const { film, names } = workerData as ThreadStart;
const opened = names.map((name) => [name, observations[name].open(film)] as const);
const watchers = opened.flatMap(([, observer]): Observer<unknown>[] => (observer ? [observer] : []));
const readers = createTapReaders(film, watchers);

parentPort?.on('message', (message: ToThread) => {
  if (message !== 'end') {
    look(message.tap, message.bytes);
    parentPort?.postMessage({ doneBytes: message.bytes.length } satisfies FromThread);
    return;
  }
  for (const reader of Object.values(readers)) reader.end();
  const seen = Object.fromEntries(opened.map(([name, observer]) => [name, observer?.end() ?? null]));
  parentPort?.postMessage({ seen } satisfies FromThread);
});

// An error loses its class on the way to another thread.
function look(tap: WatchedTap, bytes: Uint8Array): void {
  try {
    readers[tap].take(bytes);
  } catch (error) {
    if (!(error instanceof AssetFailure)) throw error;
    parentPort?.postMessage({ failedAs: error.errorType } satisfies FromThread);
  }
}
