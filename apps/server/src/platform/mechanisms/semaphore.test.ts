import { describe, expect, test } from 'vitest';
import { createSemaphore, runForEach } from './semaphore.ts';

/** Requests a permit for each name; the key is the name without its digit. Shows and releases the permits held. */
function acquirePermits(permits: number, perKeyMax: number, names: string[]) {
  const semaphore = createSemaphore(permits);
  const holding = new Map<string, () => void>();
  for (const name of names) {
    const key = name.replace(/\d/, '');
    void semaphore.run(() => new Promise<void>((release) => holding.set(name, release)), { key, perKeyMax });
  }
  return {
    async holding() {
      await new Promise(setImmediate);
      return [...holding.keys()];
    },
    release(name: string) {
      holding.get(name)?.();
      holding.delete(name);
    },
  };
}

describe('a semaphore', () => {
  test('grants no more permits than it has, first come first served', async () => {
    const { holding, release } = acquirePermits(2, 2, ['a', 'b', 'c', 'd']);
    expect(await holding()).toEqual(['a', 'b']);
    release('a');
    expect(await holding()).toEqual(['b', 'c']);
  });

  test('serves other keys while one key never releases its permits', async () => {
    const { holding, release } = acquirePermits(4, 2, [
      'slow1',
      'slow2',
      'slow3',
      'slow4',
      'other1',
      'other2',
      'third1',
    ]);
    expect(await holding()).toEqual(['slow1', 'slow2', 'other1', 'other2']);
    release('other1');
    expect(await holding()).toEqual(['slow1', 'slow2', 'other2', 'third1']);
  });

  test('releases the permit of work that fails', async () => {
    const semaphore = createSemaphore(1);
    await expect(semaphore.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(semaphore.run(async () => 'yes')).resolves.toBe('yes');
  });

  test('removes a caller whose wait was aborted', async () => {
    const semaphore = createSemaphore(1);
    const release = await semaphore.acquire();
    const stop = new AbortController();
    const aborted = semaphore.acquire({ signal: stop.signal });
    const next = semaphore.acquire();
    stop.abort(new Error('stopped'));
    await expect(aborted).rejects.toThrow('stopped');
    release();
    await expect(next).resolves.toBeTypeOf('function');
  });

  test('grants a free permit to a caller that cannot wait, and rejects the caller if none is free', async () => {
    const semaphore = createSemaphore(1);
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(semaphore.acquire({ signal })).resolves.toBeTypeOf('function');
    await expect(semaphore.acquire({ signal })).rejects.toThrow('too late');
  });
});

test('runForEach limits the items in progress, and keeps their order in the results', async () => {
  let running = 0;
  let most = 0;
  const results = await runForEach([3, 1, 2, 0], 2, async (item, i) => {
    most = Math.max(most, ++running);
    for (let turn = 0; turn < item; turn++) await new Promise(setImmediate);
    running--;
    return `${i}:${item}`;
  });
  expect(results).toEqual(['0:3', '1:1', '2:2', '3:0']);
  expect(most).toBe(2);
});

test('runForEach starts no further work after a failure', async () => {
  const started: number[] = [];
  const running = runForEach([0, 1, 2, 3], 2, async (item) => {
    started.push(item);
    await new Promise(setImmediate);
    if (item === 0) throw new Error('no');
  });
  await expect(running).rejects.toThrow('no');
  await new Promise(setImmediate);
  expect(started).not.toContain(3);
});
