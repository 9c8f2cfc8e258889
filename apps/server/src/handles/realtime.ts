import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '@assay/contract/refusals.ts';
import type { Redis } from 'ioredis';

/**
 * Tells other processes that there is news on a channel, and hears of it. News may get lost: whoever listens looks for
 * itself when it hears, and also whenever it may have missed something.
 */
export type Realtime = {
  announce(channel: string): void;
  /** Yields at once, then on news and every so often, until the signal. News that come while nobody waits are one. */
  news(channel: string, everyMillis: number, signal: AbortSignal): AsyncGenerator<void>;
  /**
   * Reads what there is news of. Those who ask for the same in one turn of the event loop are given one answer, as a
   * thousand who follow one thing hear of it at once; whoever asks later gets a later one. An outage is waited out: who
   * follows has more use for a late answer than for none.
   */
  read<T>(name: string, load: () => Promise<T>, signal: AbortSignal): Promise<T>;
  close(): void;
};

// While Redis is away nobody hears anything, so everyone looks now and then.
const lookEveryMillis = 5000;
const outagePauseMillis = 1000;

type Channel = { listeners: Set<() => void>; subscribed: Promise<unknown> };

export function openRealtime(redis: Redis, prefix: string): Realtime {
  const channels = new Map<string, Channel>();
  const nameOf = (channel: string) => `${prefix}news:${channel}`;
  const tell = (listeners: Iterable<() => void>) => {
    for (const onNews of listeners) onNews();
  };
  const tellAll = () => {
    for (const { listeners } of channels.values()) tell(listeners);
  };

  // Made when somebody listens for the first time: a worker never does.
  let ears: Redis | undefined;
  let timer: NodeJS.Timeout | undefined;
  const open = (): Redis => {
    const opened = redis.duplicate({ enableOfflineQueue: true, autoResubscribe: true });
    opened.on('error', () => {}); // the log of the other connection says it
    opened.on('message', (name: string) => tell(channels.get(name)?.listeners ?? []));
    opened.on('ready', () => setTimeout(tellAll, 100)); // a moment for the subscriptions to be made again
    timer = setInterval(() => {
      if (opened.status !== 'ready') tellAll();
    }, lookEveryMillis);
    return opened;
  };

  const listen = (channel: string, onNews: () => void): (() => void) => {
    ears ??= open();
    const name = nameOf(channel);
    const known = channels.get(name) ?? {
      listeners: new Set<() => void>(),
      subscribed: ears.subscribe(name).catch(() => {}),
    };
    channels.set(name, known);
    known.listeners.add(onNews);
    void known.subscribed.then(onNews); // what happened before this took effect is looked for then
    return () => {
      known.listeners.delete(onNews);
      if (known.listeners.size > 0) return;
      channels.delete(name);
      ears?.unsubscribe(name).catch(() => {});
    };
  };

  const asked = new Map<string, Promise<unknown>>();
  const readTogether = <T>(name: string, load: () => Promise<T>): Promise<T> => {
    const answer =
      asked.get(name) ??
      nextTurn().then(() => {
        asked.delete(name);
        return load();
      });
    asked.set(name, answer);
    return answer as Promise<T>;
  };

  return {
    async read(name, load, signal) {
      for (;;) {
        try {
          return await readTogether(name, load);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          await sleep(outagePauseMillis * (0.5 + Math.random()), undefined, { signal });
        }
      }
    },
    announce(channel) {
      redis.publish(nameOf(channel), '').catch(() => {}); // those who listen look for themselves while Redis is away
    },
    async *news(channel, everyMillis, signal) {
      let isNew = true;
      let wake = () => {};
      const onNews = () => {
        isNew = true;
        wake();
      };
      const stop = listen(channel, onNews);
      const pulse = setInterval(onNews, everyMillis);
      signal.addEventListener('abort', onNews);
      try {
        while (!signal.aborted) {
          if (isNew) {
            isNew = false;
            yield;
          } else {
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
        }
      } finally {
        clearInterval(pulse);
        signal.removeEventListener('abort', onNews);
        stop();
      }
    },
    close() {
      clearInterval(timer);
      ears?.disconnect();
    },
  };
}
