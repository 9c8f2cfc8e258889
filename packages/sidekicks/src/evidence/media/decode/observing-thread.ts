import { parentPort, workerData } from 'node:worker_threads';
import { type AssetErrorType, AssetFailure } from '@assay/contract/asset-failures.ts';
import { type ObservationName, observations } from './observations.ts';
import type { MediaFormat, Observer, WatchedTap } from './signal/observer.ts';
import { createTapReaders } from './tap-readers.ts';

/** What is observed together: the video with the main audio programme, or a further programme. */
export type ObservedPart = { format: MediaFormat; names: readonly ObservationName[] };
/** The parts of a file. */
export type ThreadStart = readonly ObservedPart[];
/** The bytes of a tap of a part, or the end of all taps. */
export type ToThread = { part: number; tap: WatchedTap; bytes: Uint8Array } | 'end';
/** The number of processed bytes, the results of all observers for each part, or why the asset fails. */
export type FromThread =
  | { doneBytes: number }
  | { observed: Record<string, unknown>[] }
  | { failedAs: AssetErrorType; reason: string };

// Observers use much CPU time. On a thread of their own they do not delay the worker's heartbeat.
const parts = (workerData as ThreadStart).map(openPart);

parentPort?.on('message', (message: ToThread) => {
  if (message !== 'end') {
    readTap(message);
    parentPort?.postMessage({ doneBytes: message.bytes.length } satisfies FromThread);
    return;
  }
  const observed = parts.map((part) => part.end());
  parentPort?.postMessage({ observed } satisfies FromThread);
});

function openPart({ format, names }: ObservedPart) {
  const namedObservers = names.map((name) => [name, observations[name].open(format)] as const);
  const watchers = namedObservers.flatMap(([, observer]): Observer<unknown>[] => (observer ? [observer] : []));
  const readers = createTapReaders(format, watchers);
  return {
    readers,
    end: (): Record<string, unknown> => {
      for (const reader of Object.values(readers)) reader.end();
      return Object.fromEntries(namedObservers.map(([name, observer]) => [name, observer?.end() ?? null]));
    },
  };
}

// An error would lose its class when it is passed to another thread, so its members are passed instead.
function readTap({ part, tap, bytes }: Exclude<ToThread, 'end'>): void {
  try {
    parts[part]?.readers[tap].take(bytes);
  } catch (error) {
    if (!(error instanceof AssetFailure)) throw error;
    parentPort?.postMessage({ failedAs: error.errorType, reason: error.reason } satisfies FromThread);
  }
}
