import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { type Feed, openFeed } from '../mechanisms/feed.ts';
import { Outage } from '../outage.ts';

/**
 * Notifies other processes of changes on a channel, and follows channels. Notifications can be lost, so followers also
 * load at intervals, and whenever one may have been missed.
 */
export type Realtime = {
  notify(channel: string): void;
  /**
   * Yields the result of `load` at once, after each notification and at intervals, until the signal aborts. All
   * followers of a channel in this process share one `load`, created for the first of them; a slow follower gets only
   * the latest result. During an outage the load is repeated: a late result is better than none.
   */
  follow<T>(
    channel: string,
    everyMillis: number,
    makeLoad: () => () => Promise<T>,
    signal: AbortSignal,
  ): AsyncGenerator<T>;
  close(): void;
};

// There are no notifications while Redis is down, so every feed loads at this interval.
const withoutRedisMillis = 5000;
const outagePauseMillis = 1000;

export function openRealtime(redis: Redis, prefix: string): Realtime {
  const feeds = new Map<string, Feed<unknown>>();
  const nameOf = (channel: string) => `${prefix}news:${channel}`;
  const refreshAll = () => {
    for (const feed of feeds.values()) feed.refresh();
  };

  // Opened for the first follower, so a worker never opens one.
  let subscriber: Redis | undefined;
  let timer: NodeJS.Timeout | undefined;
  const openSubscriber = (): Redis => {
    const opened = redis.duplicate({ enableOfflineQueue: false, autoResubscribe: false });
    opened.on('error', () => {}); // logged by the other connection
    opened.on('message', (name: string) => feeds.get(name)?.refresh());
    // Subscribes to channels that could not be subscribed while Redis was down, then loads what changed meanwhile.
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
    const feed = openFeed(retryDuringOutages(makeLoad()), everyMillis, () => {
      feeds.delete(name);
      subscriber?.unsubscribe(name).catch(() => {});
    });
    feeds.set(name, feed as Feed<unknown>);
    // Fails while Redis is down; the `ready` handler repeats it.
    subscriber.subscribe(name).then(feed.refresh, () => {});
    return feed;
  };

  return {
    notify(channel) {
      redis.publish(nameOf(channel), '').catch(() => {}); // while Redis is down, followers load at intervals
    },
    follow: (channel, everyMillis, makeLoad, signal) => join(channel, everyMillis, makeLoad).follow(signal),
    close() {
      clearInterval(timer);
      subscriber?.disconnect();
    },
  };
}

function retryDuringOutages<T>(load: () => Promise<T>): (signal: AbortSignal) => Promise<T> {
  return async (signal) => {
    for (;;) {
      try {
        return await load();
      } catch (error) {
        if (!(error instanceof Outage)) throw error;
        await sleep(outagePauseMillis * (0.5 + Math.random()), undefined, { signal });
      }
    }
  };
}
