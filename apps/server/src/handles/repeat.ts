import { setTimeout as sleep } from 'node:timers/promises';
import type { Handles } from './handles.ts';

/**
 * Does a thing again and again, with a pause after each time; one that fails is counted and tried again at its next turn.
 * Told to stop, it aborts the signal: what works through a long list ends with the item at hand.
 */
export function repeat(
  name: string,
  pauseSeconds: number,
  work: (signal: AbortSignal) => Promise<unknown>,
  { log, metrics }: Pick<Handles, 'log' | 'metrics'>,
) {
  const stopped = new AbortController();
  const loop = async () => {
    while (!stopped.signal.aborted) {
      await work(stopped.signal).catch((error) => {
        metrics.jobFailures.inc({ job: name });
        log.warn({ err: error, job: name }, 'a repeated job failed');
      });
      await sleep(pauseSeconds * 1000, undefined, { signal: stopped.signal }).catch(() => {});
    }
  };
  const ended = loop();
  return async () => {
    stopped.abort();
    await ended;
  };
}
