import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { listen } from '../run/listen.ts';
import { openFlakyProxy } from './flaky-proxy.ts';

const reachedRequests: string[] = [];
const target = createServer(async (request, response) => {
  let length = 0;
  for await (const piece of request) length += piece.length;
  reachedRequests.push(`${request.method} ${request.url} ${length}`);
  if (request.url !== '/stream') return response.end('the answer');
  response.setHeader('content-type', 'text/event-stream').write('first');
});
const port = await listen(target);
const proxy = await openFlakyProxy({ there: `http://127.0.0.1:${port}` });
afterAll(() => {
  proxy.close();
  target.close();
  target.closeAllConnections();
});

/** Sends this many requests, and returns the status of each response, or `broken` for a request without one. */
async function sendRequests(path: string, count: number, request: RequestInit = {}): Promise<(number | 'broken')[]> {
  const outcomes: (number | 'broken')[] = [];
  for (let i = 0; i < count; i++) {
    const outcome = fetch(`${proxy.url}/there/${path}`, request).then(
      async (response) => response.text().then(() => response.status),
      () => 'broken' as const,
    );
    outcomes.push(await outcome);
  }
  return outcomes;
}
const countReached = (path: string) => reachedRequests.filter((line) => line.includes(path)).length;

describe('openFlakyProxy', () => {
  test.each([
    ['calm', [200, 200], 2],
    ['reset-2', ['broken', 'broken', 200], 1],
    ['lost-1', ['broken', 200], 2],
    ['answer-502-1', [502, 200], 1],
    ['answer-429-1', [429, 200], 1],
    ['html-502-1', [502, 200], 1],
    ['fifth', [200, 200, 200, 200, 'broken', 200, 200, 200, 200, 503], 8],
  ])(
    'with the fault %s, causes the outcomes %j, and %d requests reach the target',
    async (fault, outcomes, reaching) => {
      expect(
        await sendRequests(`a-${fault}/${fault}/at-${fault}`, outcomes.length, { method: 'POST', body: 'x' }),
      ).toEqual(outcomes);
      expect(countReached(`/at-${fault} 1`)).toBe(reaching);
      expect(proxy.seen(`a-${fault}`).length).toBe(outcomes.length);
    },
  );

  test('with the fault fifth, breaks the connection in the middle of a large body', async () => {
    const body = new Uint8Array(4_000_000);
    expect((await sendRequests('torn/fifth/torn', 5, { method: 'PUT', body })).at(-1)).toBe('broken');
    expect(countReached('/torn 4000000')).toBe(4);
  });

  test('forwards a stream as it arrives, and interrupts it after the given time', async () => {
    const response = await fetch(`${proxy.url}/there/cut/cut-300/stream`);
    const reader = response.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('first');
    await expect(reader?.read()).rejects.toThrow();
  });

  test('delays a request by the given time', async () => {
    const begin = performance.now();
    expect(await sendRequests('late/late-400-1/late', 1)).toEqual([200]);
    expect(performance.now() - begin).toBeGreaterThanOrEqual(390);
  });

  test('lists the requests that it received, without their API keys', async () => {
    await sendRequests('b/calm/x?y=1', 1, { headers: { 'idempotency-key': 'k', 'x-api-key': 'secret' } });
    const seen = await (await fetch(`${proxy.url}/seen/b`)).json();
    expect(seen).toMatchObject([{ method: 'GET', path: '/x?y=1', idempotencyKey: 'k', hasApiKey: true, status: 200 }]);
    expect(JSON.stringify(seen)).not.toContain('secret');
  });

  test('never responds to a request with the fault hang', async () => {
    const asked = sendRequests('h/hang-1/h', 1, { signal: AbortSignal.timeout(2000) });
    expect(await Promise.race([asked, sleep(300, 'hangs')])).toBe('hangs');
    expect(await asked).toEqual(['broken']);
    expect(countReached('/h ')).toBe(0);
  });

  test('redirects to its own address, with the suffix -led added to the token', async () => {
    expect(await sendRequests('r/redirect-1/r', 1, { redirect: 'manual' })).toEqual([307]);
    expect(await sendRequests('r2/redirect-1/r2', 1)).toEqual([200]);
    expect(proxy.seen('r-led')).toEqual([]);
    expect(proxy.seen('r2-led').length).toBe(1);
  });
});
