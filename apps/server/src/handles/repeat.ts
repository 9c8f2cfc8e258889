import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './log.ts';

/** Does a thing again and again, with a pause after each time; one that fails is tried again at its next turn. */
export function repeat(name: string, pauseSeconds: number, work: () => Promise<unknown>, log: Log) {
  const stopped = new AbortController();
  const loop = async () => {
    while (!stopped.signal.aborted) {
      await work().catch((error) => log.warn({ err: error, job: name }, 'a repeated job failed'));
      await sleep(pauseSeconds * 1000, undefined, { signal: stopped.signal }).catch(() => {});
    }
  };
  const ended = loop();
  return async () => {
    stopped.abort();
    await ended;
  };
}
