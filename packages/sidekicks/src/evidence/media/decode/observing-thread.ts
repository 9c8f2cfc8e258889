import { parentPort, workerData } from 'node:worker_threads';
import { type AssetErrorType, AssetFailure } from '@assay/contract/asset-failures.ts';
import { type ObservationName, observations } from './observations.ts';
import type { MediaFormat, Observer, WatchedTap } from './signal/observer.ts';
import { createTapReaders } from './tap-readers.ts';

export type ThreadStart = { format: MediaFormat; names: readonly ObservationName[] };
/** The bytes of a tap, or the end of all taps. */
export type ToThread = { tap: WatchedTap; bytes: Uint8Array } | 'end';
/** The number of processed bytes, the results of all observers, or why the asset fails. */
export type FromThread =
  | { doneBytes: number }
  | { observed: Record<string, unknown> }
  | { failedAs: AssetErrorType; reason: string };

// Observers use much CPU time. On a thread of their own they do not delay the worker's heartbeat.
const { format, names } = workerData as ThreadStart;
const namedObservers = names.map((name) => [name, observations[name].open(format)] as const);
const watchers = namedObservers.flatMap(([, observer]): Observer<unknown>[] => (observer ? [observer] : []));
const readers = createTapReaders(format, watchers);

parentPort?.on('message', (message: ToThread) => {
  if (message !== 'end') {
    readTap(message.tap, message.bytes);
    parentPort?.postMessage({ doneBytes: message.bytes.length } satisfies FromThread);
    return;
  }
  for (const reader of Object.values(readers)) reader.end();
  const observed = Object.fromEntries(namedObservers.map(([name, observer]) => [name, observer?.end() ?? null]));
  parentPort?.postMessage({ observed } satisfies FromThread);
});

// An error would lose its class when it is passed to another thread, so its members are passed instead.
function readTap(tap: WatchedTap, bytes: Uint8Array): void {
  try {
    readers[tap].take(bytes);
  } catch (error) {
    if (!(error instanceof AssetFailure)) throw error;
    parentPort?.postMessage({ failedAs: error.errorType, reason: error.reason } satisfies FromThread);
  }
}
