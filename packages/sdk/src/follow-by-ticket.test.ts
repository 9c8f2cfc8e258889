import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { followByTicket } from '@assay/sdk';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';

const channel = 'submission.1';
const ticket = { ticket: 'ticket', channel };

/** Streams the end of a submission to whoever connects. */
const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end('id: 1\nevent: snapshot\ndata: {"submissionId":"1","status":"complete","assets":[]}\n\n');
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => void server.close());
afterEach(() => vi.useRealTimers());

/** What `fetch` throws in a page that has lost its network. */
const lost = () => new TypeError('fetch failed');
const follow = (getTicket: () => Promise<typeof ticket>, signal?: AbortSignal) =>
  Array.fromAsync(followByTicket({ baseUrl, getTicket, signal }));

describe('a page whose own server does not answer', () => {
  test('keeps following when the request for a ticket fails at first', async () => {
    let calls = 0;
    const states = await follow(async () => {
      calls += 1;
      if (calls <= 2) throw lost();
      return ticket;
    });
    expect(states.map(({ status }) => status)).toEqual(['complete']);
    expect(calls).toBe(3);
  }, 20_000);

  test('gets the error of its own request once that has failed for two minutes', async () => {
    let calls = 0;
    const following = follow(async () => {
      calls += 1;
      if (calls === 2) vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 121_000 });
      throw lost();
    });
    await expect(following).rejects.toThrow('fetch failed');
    expect(calls).toBe(2);
  }, 20_000);

  test('stops at once when the request is aborted, with the reason of its own signal if there is one', async () => {
    const aborted = () => Promise.reject(new DOMException('The page was left.', 'AbortError'));
    await expect(follow(aborted)).rejects.toThrow('The page was left.');
    const reason = new Error('The reader closed the page.');
    const controller = new AbortController();
    const leaving = async () => {
      controller.abort(reason);
      throw lost();
    };
    await expect(follow(leaving, controller.signal)).rejects.toBe(reason);
  });
});
