import { prefixes } from '@assay/contract/route.ts';
import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import { follow } from '@assay/testing/service/follow.ts';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { activeRequests } from '../metrics.ts';

test('a client that leaves while its key is checked does not count as a stream', async () => {
  const { url, handles, makeWorkspace } = await openTestApi({ ...liftedLimits, REALTIME_STREAMS_PER_KEY_MAX: '3' });
  const { workspaceId, sandboxKey } = await makeWorkspace();
  const channel = `webhooks.${workspaceId}`;
  const countActive = async () => (await activeRequests(handles.metrics).get()).values[0]?.value ?? 0;
  const leaving = new AbortController();
  const open = () =>
    fetch(`${url}${prefixes[0]}/realtime?channel=${channel}`, {
      headers: { 'x-api-key': sandboxKey },
      signal: leaving.signal,
    });
  await handles.db.transaction().execute(async (transaction) => {
    await sql`lock table api_keys in access exclusive mode`.execute(transaction); // no key is found meanwhile
    const left = Promise.allSettled(Array.from({ length: 5 }, open));
    await expect.poll(countActive, { interval: 5 }).toBe(5);
    leaving.abort();
    await left;
    await expect.poll(countActive, { interval: 5 }).toBe(0);
  });

  const statuses: number[] = [];
  for (let i = 0; i < 4; i++) {
    const stream = await follow(url, sandboxKey, channel);
    onTestFinished(() => stream.leave());
    statuses.push(stream.status);
  }
  expect(statuses).toEqual([200, 200, 200, 429]);
});
