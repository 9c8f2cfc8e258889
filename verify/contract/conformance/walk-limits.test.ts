import { openTestApi } from '@assay/testing/service/api.ts';
import type { Answer, Client } from '@assay/testing/service/client.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { describe, expect, test } from 'vitest';

const api = await openTestApi({
  RATE_LIMITS: JSON.stringify({
    starter: { upload: 2, submission_write: 4, submission_read: 5, webhook_write: 3, webhook_read: 2, sandbox: 1 },
    pro: { upload: 50, submission_write: 2 },
  }),
});

const subscribing = { url: 'http://127.0.0.1:9/', eventTypes: ['asset.processing.completed'] };
const file = { filename: 'a.txt', contentType: 'text/plain' };

describe('limits in a caller’s workflow', () => {
  test('each request counts against its own bucket only, up to the limit (§8.2b, §8.2e, §8.2g, §8.2h, §8.2i, §8.2j, §8.2k)', async () => {
    const { answers, again } = await walkTwice();
    expect(answers.map(({ status }) => status)).toEqual([
      ...[200, 201, 201, 202, 202, 202, 200, 200, 404, 404, 200],
      ...[201, 200, 200, 200, 204, 403],
    ]);
    expect(again.map(({ status }) => status)).toEqual(Array(17).fill(429));
  });

  test('only 429 responses have Retry-After, and no response has X-RateLimit-* (§8.2c)', async () => {
    const { answers, again } = await walkTwice();
    const named = (headers: Headers) => [...headers.keys()].filter((name) => /rate-?limit|retry-after/.test(name));
    expect(answers.flatMap(({ headers }) => named(headers))).toEqual([]);
    for (const { headers } of again) expect(named(headers)).toEqual(['retry-after']);
  });

  test('a submission of 50 files counts as one request (§8.2d)', async () => {
    const client = api.client((await api.makeWorkspace('pro')).liveKey);
    const blobPaths = await Promise.all(Array.from({ length: 50 }, (_, i) => uploadText(client, `${i}.txt`)));
    expect((await submit(client, blobPaths)).assets).toHaveLength(50);
    expect((await submit(client, blobPaths)).assets).toHaveLength(50);
    expect((await client.post('/submissions', { assets: [{ blobPath: blobPaths[0] }] })).status).toBe(429);
  });

  test('each tier has its own limit (§8.2f)', async () => {
    const [starter, pro] = [await api.makeWorkspace('starter'), await api.makeWorkspace('pro')];
    const ask = async (key: string) => {
      const client = api.client(key);
      const statuses = [];
      for (let turn = 0; turn < 3; turn++) statuses.push((await client.post('/uploads/url', file)).status);
      return statuses;
    };
    expect(await ask(starter.liveKey)).toEqual([200, 200, 429]);
    expect(await ask(pro.liveKey)).toEqual([200, 200, 200]);
  });
});

/** Every endpoint of the interface, once within its limit and once above it. */
async function walkTwice() {
  const client = api.client((await api.makeWorkspace('starter')).liveKey);
  const issued = await client.post('/uploads/url', file);
  const uploaded = await client.uploadFile('a.txt', 'hello');
  const json = { assets: [{ blobPath: uploaded.body.blobPath }] };
  const created = await client.post('/submissions', json);
  const submission = `/submissions/${created.body.submissionId}`;
  const asset = `${submission}/assets/${created.body.assets[0].assetId}`;
  const reads = [submission, asset, `${asset}/issues`, `${asset}/topics`, `${submission}/versions`];
  // A retry is a write, and so are the requests that make it possible.
  const writes = [`${submission}/cancel`, `${asset}/retry`, `${submission}/cancel`];
  const answers = [issued, uploaded, created];
  for (const path of writes) answers.push(await client.post(path));
  for (const path of reads) answers.push(await client.get(path));
  const subscribed = await client.post('/webhooks/subscriptions', subscribing);
  const walkWebhooks = () => walkSubscription(client, subscribed.body.subscriptionId);
  answers.push(subscribed, ...(await walkWebhooks()));
  const again = [
    await client.post('/uploads/url', file),
    await client.uploadFile('a.txt', 'hello'),
    await client.post('/submissions', json),
  ];
  for (const path of writes) again.push(await client.post(path));
  for (const path of reads) again.push(await client.get(path));
  again.push(await client.post('/webhooks/subscriptions', subscribing), ...(await walkWebhooks()));
  return { answers, again };
}

async function walkSubscription(client: Client, subscriptionId: string): Promise<Answer[]> {
  const path = `/webhooks/subscriptions/${subscriptionId}`;
  return [
    await client.patch(path, { isActive: false }),
    await client.get('/webhooks/subscriptions'),
    await client.get(`${path}/deliveries`),
    await client.delete(path),
    await client.post('/sandbox/events/fire', {}), // refused with this key (§5f), but counted
  ];
}
