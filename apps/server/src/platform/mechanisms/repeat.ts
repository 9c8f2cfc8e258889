import { setTimeout as sleep } from 'node:timers/promises';
import type { Handles } from '../handles.ts';
import { jobFailures } from './metrics.ts';

/**
 * Runs a job repeatedly, with a pause after each run. A failed run is counted and logged. The returned function stops
 * the job and waits for its end: it aborts the signal, so that a job with a long list ends after the current item.
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
        jobFailures(metrics).inc({ job: name });
        log.warn({ err: error, job: name, pauseSeconds }, 'a repeated job failed; it runs again after the pause');
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
