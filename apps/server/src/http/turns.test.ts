import { describe, expect, test } from 'vitest';
import { createTurns } from './turns.ts';

/** Takes turns under these names; says who runs, and ends one of them when told. */
function observe(atOnceMax: number, perNameMax: number, names: string[]) {
  const turns = createTurns(atOnceMax, perNameMax);
  const running = new Map<string, () => void>();
  for (const name of names) {
    const owner = name.replace(/\d/, '');
    void turns.take(owner, () => new Promise<void>((resolve) => running.set(name, resolve)));
  }
  return {
    async running() {
      await new Promise(setImmediate);
      return [...running.keys()];
    },
    async end(name: string) {
      running.get(name)?.();
      running.delete(name);
    },
  };
}

describe('turns', () => {
  test('no more at once than allowed, first come first served', async () => {
    const { running, end } = observe(2, 2, ['a', 'b', 'c', 'd']);
    expect(await running()).toEqual(['a', 'b']);
    await end('a');
    expect(await running()).toEqual(['b', 'c']);
  });

  test('one name that never ends leaves room for others', async () => {
    const { running, end } = observe(4, 2, ['slow1', 'slow2', 'slow3', 'slow4', 'other1', 'other2', 'third1']);
    expect(await running()).toEqual(['slow1', 'slow2', 'other1', 'other2']);
    await end('other1');
    expect(await running()).toEqual(['slow1', 'slow2', 'other2', 'third1']);
  });

  test('work that fails gives its turn back', async () => {
    const turns = createTurns(1, 1);
    await expect(turns.take('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(turns.take('a', async () => 'yes')).resolves.toBe('yes');
  });
});
