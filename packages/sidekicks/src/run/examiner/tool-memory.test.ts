import { setTimeout as sleep } from 'node:timers/promises';
import { fc } from '@assay/testing/run/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { createToolMemory } from './tool-memory.ts';

const never = new AbortController().signal;
const short = (bytes: number) => ({ bytes, isLong: false });
const long = (bytes: number) => ({ bytes, isLong: true });

/** Of 1,000 bytes, 400 are for short tools, and 200 of them for one owner. */
function openMemory() {
  const memory = createToolMemory(1000);
  const granted: string[] = [];
  const reserve = (owner: string, bytes: number, signal = never) =>
    memory.reserve(owner, short(bytes), signal).then((release) => {
      granted.push(owner);
      return release;
    });
  return { ...memory, granted, reserveShort: reserve };
}

describe('the memory of tools', () => {
  test('is never more than there is, and each tool gets its turn, whatever they need', async () => {
    const tools = fc.array(
      fc.record({ owner: fc.constantFrom('a', 'b', 'c'), bytes: fc.nat(700), isLong: fc.boolean() }),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(tools, async (needs) => {
        const memory = createToolMemory(1000);
        const held = { long: 0, short: 0 };
        const run = async ({ owner, ...need }: (typeof needs)[number]) => {
          const release = await memory.reserve(owner, need, never);
          const part = need.isLong ? 'long' : 'short';
          const bytes = Math.min(need.bytes, { long: 600, short: 400 }[part]);
          held[part] += bytes;
          expect(held.long).toBeLessThanOrEqual(600);
          expect(held.short).toBeLessThanOrEqual(400);
          await sleep(0);
          held[part] -= bytes;
          release();
        };
        await Promise.all(needs.map(run));
      }),
      { numRuns: 50 },
    );
  });

  test('is not all held by one owner', async () => {
    const { reserveShort, granted } = openMemory();
    for (let i = 0; i < 8; i++) void reserveShort('many', 100);
    await sleep(1);
    expect(granted).toEqual(['many', 'many']);
    await reserveShort('other', 200);
  });

  test('goes to the owner that has least, also if a larger need must wait for room', async () => {
    const { reserveShort, granted } = openMemory();
    const releaseFirst = await reserveShort('a', 150);
    await reserveShort('b', 150);
    void reserveShort('c', 200);
    void reserveShort('a', 50);
    await sleep(1);
    expect(granted, 'what would fit does not overtake').toEqual(['a', 'b']);
    releaseFirst();
    releaseFirst(); // counts once
    await sleep(1);
    expect(granted).toEqual(['a', 'b', 'c', 'a']);
  });

  test('is no longer waited for after an abort, and those behind it go on', async () => {
    const { reserveShort, granted } = openMemory();
    await reserveShort('a', 300);
    const stop = new AbortController();
    const waiting = reserveShort('b', 400, stop.signal);
    void reserveShort('c', 100);
    await sleep(1);
    expect(granted).toEqual(['a']);
    const reason = new Error('cancelled');
    stop.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await sleep(1);
    expect(granted).toEqual(['a', 'c']);
  });

  test('of short tools is not used up by long ones', async () => {
    const { reserve, reserveShort } = openMemory();
    await reserve('a', long(5000), never);
    await reserveShort('a', 100);
  });
});
