import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '@assay/contract/refusals.ts';
import type { Redis } from 'ioredis';
import { type Feed, openFeed } from './feed.ts';

/**
 * Notifies other processes that something changed on a channel, and follows channels. A notification may get lost:
 * whoever follows also loads now and then, and whenever one may have been missed.
 */
export type Realtime = {
  announce(channel: string): void;
  /**
   * Yields what `load` gives: at first, after each notification, and every so often, until the signal. However many
   * follow a channel in this process, one `load` serves them all, made when the first of them comes; who is slow gets
   * only the newest. An outage is waited out: who follows has more use for a late answer than for none.
   */
  follow<T>(
    channel: string,
    everyMillis: number,
    makeLoad: () => () => Promise<T>,
    signal: AbortSignal,
  ): AsyncGenerator<T>;
  close(): void;
};

// While Redis is away nobody is notified, so everyone loads now and then.
const withoutRedisMillis = 5000;
const outagePauseMillis = 1000;

export function openRealtime(redis: Redis, prefix: string): Realtime {
  const feeds = new Map<string, Feed<unknown>>();
  const nameOf = (channel: string) => `${prefix}news:${channel}`;
  const refreshAll = () => {
    for (const feed of feeds.values()) feed.refresh();
  };

  // Made when somebody follows for the first time: a worker never does.
  let subscriber: Redis | undefined;
  let timer: NodeJS.Timeout | undefined;
  const openSubscriber = (): Redis => {
    const opened = redis.duplicate({ enableOfflineQueue: false, autoResubscribe: false });
    opened.on('error', () => {}); // the log of the other connection says it
    opened.on('message', (name: string) => feeds.get(name)?.refresh());
    // Also what was subscribed in vain while Redis was away; what changed before this took effect is loaded then.
    opened.on('ready', () => {
      if (feeds.size > 0) opened.subscribe(...feeds.keys()).then(refreshAll, () => {});
    });
    timer = setInterval(() => {
      if (opened.status !== 'ready') refreshAll();
    }, withoutRedisMillis);
    return opened;
  };

  const join = <T>(channel: string, everyMillis: number, makeLoad: () => () => Promise<T>): Feed<T> => {
    subscriber ??= openSubscriber();
    const name = nameOf(channel);
    const known = feeds.get(name) as Feed<T> | undefined;
    if (known) return known;
    const feed = openFeed(waitingOutOutages(makeLoad()), everyMillis, () => {
      feeds.delete(name);
      subscriber?.unsubscribe(name).catch(() => {});
    });
    feeds.set(name, feed as Feed<unknown>);
    // It fails while Redis is away, and is made when it is back.
    subscriber.subscribe(name).then(feed.refresh, () => {});
    return feed;
  };

  return {
    announce(channel) {
      redis.publish(nameOf(channel), '').catch(() => {}); // those who follow load by themselves while Redis is away
    },
    follow: (channel, everyMillis, makeLoad, signal) => join(channel, everyMillis, makeLoad).follow(signal),
    close() {
      clearInterval(timer);
      subscriber?.disconnect();
    },
  };
}

function waitingOutOutages<T>(load: () => Promise<T>): (signal: AbortSignal) => Promise<T> {
  return async (signal) => {
    for (;;) {
      try {
        return await load();
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        await sleep(outagePauseMillis * (0.5 + Math.random()), undefined, { signal });
      }
    }
  };
}
