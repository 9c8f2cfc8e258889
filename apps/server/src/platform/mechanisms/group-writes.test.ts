import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { Outage } from '../outage.ts';
import { groupWrites } from './group-writes.ts';

describe('grouped writes', () => {
  test('rows that arrive together are written together, and each write resolves when its row is written', async () => {
    const groups: number[][] = [];
    const write = groupWrites<number>(async (rows) => void groups.push(rows), 2);
    await Promise.all([1, 2, 3].map(write));
    await write(4);
    expect(groups).toEqual([[1, 2, 3], [4]]);
  });

  test('no more groups than the limit are written at once, and rows that wait are written together', async () => {
    const groups: number[][] = [];
    const write = groupWrites<number>(async (rows) => {
      groups.push(rows);
      await sleep(50);
    }, 1);
    const first = write(1);
    await sleep(10);
    await Promise.all([first, write(2), write(3)]);
    expect(groups).toEqual([[1], [2, 3]]);
  });

  test('a row that cannot be written does not make other rows fail', async () => {
    const write = groupWrites<number>(async (rows) => {
      if (rows.includes(2)) throw new Error('not 2');
    }, 1);
    const outcomes = await Promise.allSettled([1, 2, 3].map(write));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  test('an outage makes all rows of a group fail, without a separate attempt for each', async () => {
    let tries = 0;
    const write = groupWrites<number>(async () => {
      tries++;
      throw new Outage('postgres', null);
    }, 1);
    const outcomes = await Promise.allSettled([1, 2, 3].map(write));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(tries).toBe(1);
  });
});
