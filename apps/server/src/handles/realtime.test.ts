import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '@assay/contract/refusals.ts';
import { describe, expect, test } from 'vitest';
import { openTestApi } from '../../../../test/support/api.ts';

const { realtime } = (await openTestApi()).handles;

describe('reading what there is news of', () => {
  test('those who ask in one turn are given one answer, and whoever asks later a later one', async () => {
    const { signal } = new AbortController();
    let reads = 0;
    const load = async () => {
      await sleep(20);
      return ++reads;
    };
    const together = Array.from({ length: 1000 }, () => realtime.read('a', load, signal));
    const other = realtime.read('b', load, signal);
    await sleep(10); // the first are being read: what is news now they would miss
    const later = realtime.read('a', load, signal);
    expect(new Set(await Promise.all(together)).size).toBe(1);
    await other;
    expect(await later).toBe(3);
  });

  test('an outage is waited out, and whoever leaves waits no longer; a bug is none', async () => {
    let tries = 0;
    const load = async () => {
      if (++tries < 3) throw new Refusal('service_unavailable');
      return 'well';
    };
    expect(await realtime.read('c', load, new AbortController().signal)).toBe('well');
    const away = async () => {
      throw new Refusal('service_unavailable');
    };
    await expect(realtime.read('d', away, AbortSignal.timeout(100))).rejects.toThrow();
    const broken = async () => {
      throw new TypeError('a bug');
    };
    await expect(realtime.read('e', broken, new AbortController().signal)).rejects.toThrow('a bug');
  });
});

describe('news', () => {
  test('come at once, then when something is announced, and end with the signal', async () => {
    const leaving = new AbortController();
    const seen: number[] = [];
    const begin = performance.now();
    const following = (async () => {
      for await (const _ of realtime.news('news', 60_000, leaving.signal)) seen.push(performance.now() - begin);
    })();
    await sleep(300); // heard of, and looked once more when the subscription took effect
    const before = seen.length;
    realtime.announce('other');
    await sleep(200);
    expect(seen.length).toBe(before);
    realtime.announce('news');
    for (let i = 0; i < 100 && seen.length === before; i++) await sleep(20);
    expect(seen.length).toBe(before + 1);
    leaving.abort();
    await following;
  });
});
