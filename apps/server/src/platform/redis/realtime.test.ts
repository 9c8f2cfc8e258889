import { setTimeout as sleep } from 'node:timers/promises';
import { openTestApi } from '@assay/testing/service/api.ts';
import { describe, expect, test } from 'vitest';
import { Outage } from '../outage.ts';

const { realtime } = (await openTestApi()).handles;
const minuteMillis = 60_000;

/** Follows a channel until `leave` is called, and collects the loaded values. */
function startFollower<T>(channel: string, load: () => Promise<T>, everyMillis = minuteMillis) {
  const leaving = new AbortController();
  const seen: T[] = [];
  const ended = (async () => {
    for await (const one of realtime.follow(channel, everyMillis, () => load, leaving.signal)) seen.push(one);
  })();
  return {
    seen,
    ended,
    async leave() {
      leaving.abort();
      await ended;
    },
  };
}

async function waitUntil(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(10);
}

describe('realtime.follow', () => {
  test('loads at once and after each notification on its channel, and ends when the signal is aborted', async () => {
    let loads = 0;
    const follower = startFollower('a', async () => ++loads);
    await waitUntil(() => follower.seen.length > 0);
    await sleep(300); // the feed loads once more when the subscription takes effect
    const before = loads;
    realtime.notify('another');
    await sleep(200);
    expect(loads).toBe(before);
    realtime.notify('a');
    await waitUntil(() => follower.seen.at(-1) === before + 1);
    await follower.leave();
  });

  test('loads no more often for a thousand followers than for one', async () => {
    let loads = 0;
    const load = async () => ++loads;
    const followers = Array.from({ length: 1000 }, () => startFollower('b', load));
    await waitUntil(() => followers.every(({ seen }) => seen.length > 0));
    await sleep(300);
    const before = loads;
    expect(before).toBeLessThan(10);
    realtime.notify('b');
    await waitUntil(() => followers.every(({ seen }) => seen.at(-1) === before + 1));
    expect(loads).toBe(before + 1);
    await Promise.all(followers.map(({ leave }) => leave()));
  });

  test('returns only values whose load started after the follower joined', async () => {
    const starts: number[] = [];
    const load = async () => {
      const startedAt = performance.now();
      starts.push(startedAt);
      await sleep(200);
      return startedAt;
    };
    const early = startFollower('c', load);
    await waitUntil(() => starts.length > 0);
    const joinedAt = performance.now();
    const late = startFollower('c', load);
    await waitUntil(() => late.seen.length > 0);
    expect(late.seen[0]).toBeGreaterThan(joinedAt);
    await Promise.all([early.leave(), late.leave()]);
  });

  test('continues after an outage unless the follower leaves, and ends with an error on other failures', async () => {
    let tries = 0;
    const follower = startFollower('d', async () => {
      if (++tries < 3) throw new Outage('postgres', null);
      return 'well';
    });
    await waitUntil(() => follower.seen.includes('well'));
    await follower.leave();
    const waiting = startFollower('e', async () => {
      throw new Outage('postgres', null);
    });
    await sleep(50);
    await waiting.leave();
    const broken = startFollower('f', async () => {
      throw new TypeError('a bug');
    });
    await expect(broken.ended).rejects.toThrow('a bug');
  });
});
