import { randomUUID } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { prefixes } from '@assay/contract/route.ts';
import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import { submit, submitAndCancel, uploadText } from '@assay/testing/service/submissions.ts';
import { subscribe } from '@assay/testing/service/webhooks.ts';
import { describe, expect, test } from 'vitest';

const pageOrigin = 'https://app.example.com';
const api = await openTestApi({ ...liftedLimits, CORS_ORIGINS: `${pageOrigin},http://localhost:5173` });
const workspace = await api.makeWorkspace();
const client = api.client(workspace.liveKey);
const sandbox = api.client(workspace.sandboxKey);

/** Returns the response as it is received, undecoded. */
async function fetchRaw(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(`${api.url}${path}`, {
    method,
    headers: { 'x-api-key': workspace.liveKey, ...headers },
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('a 201 response has a Location header with the path of the created resource (§D12)', () => {
  test.each(prefixes)('under the prefix %s', async (prefix) => {
    const json = { assets: [{ blobPath: await uploadText(client) }] };
    const created = await client.send('POST', '/submissions', { json, prefix });
    expect(created.headers.get('location')).toBe(`${prefix}/submissions/${created.body.submissionId}`);
    const subscription = { url: 'http://127.0.0.1:9/', eventTypes: ['asset.processing.failed'] };
    const subscribed = await client.send('POST', '/webhooks/subscriptions', { json: subscription, prefix });
    const path = `${prefix}/webhooks/subscriptions/${subscribed.body.subscriptionId}`;
    expect(subscribed.headers.get('location')).toBe(path);
    expect((await fetchRaw(path)).status).toBe(200);
  });
});

describe('the ETag of a submission (§D11)', () => {
  const read = (submissionId: string, etag?: string, by = client) =>
    by.send('GET', `/submissions/${submissionId}`, etag === undefined ? {} : { headers: { 'if-none-match': etag } });
  const etagOf = ({ headers }: { headers: Headers }) => headers.get('etag') as string;

  test('results in a 304 when sent in If-None-Match, until the submission changes', async () => {
    const { submissionId } = await submit(client, [await uploadText(client)]);
    const etag = etagOf(await read(submissionId));
    expect(etag).toMatch(/^W\/"/);
    for (const known of [etag, etag.replace('W/', ''), `"other", ${etag}`, '*']) {
      const unchanged = await read(submissionId, known);
      expect([unchanged.status, etagOf(unchanged)]).toEqual([304, etag]);
    }
    expect((await read(submissionId, 'W/"other"')).status).toBe(200);
    await client.post(`/submissions/${submissionId}/cancel`);
    const changed = await read(submissionId, etag);
    expect([changed.status, changed.body.status]).toEqual([200, 'failed']);
    expect(etagOf(changed)).not.toBe(etag);
  });

  test('differs between live and sandbox keys, because a submission may be retryable with only one of them', async () => {
    const { submissionId } = await submitAndCancel(client);
    const etag = etagOf(await read(submissionId));
    const other = await read(submissionId, etag, sandbox);
    expect([other.status, other.body.isRetryable]).toEqual([200, false]);
  });

  test('does not exist for an unknown submission, which results in 404 even with If-None-Match: *', async () => {
    expect((await read(randomUUID(), '*')).status).toBe(404);
  });
});

describe('responses over 1 KiB, except streams, are compressed for clients that accept it (§D13)', () => {
  const path = `${prefixes[0]}/sidekicks`;
  const decoders = { br: brotliDecompressSync, gzip: gunzipSync };

  test.each([
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', null],
    ['gzip;q=0', null],
  ] as const)('Accept-Encoding: %s results in Content-Encoding %s', async (accepted, encoding) => {
    const { promise, resolve } = Promise.withResolvers<{
      encoding: string | undefined;
      vary?: string;
      bytes: Buffer;
    }>();
    const { get } = await import('node:http');
    get(
      `${api.url}${path}`,
      { headers: { 'x-api-key': workspace.liveKey, 'accept-encoding': accepted } },
      async (response) => {
        const bytes = Buffer.concat(await Array.fromAsync(response));
        resolve({ encoding: response.headers['content-encoding'], vary: response.headers.vary ?? '', bytes });
      },
    );
    const response = await promise;
    expect([response.encoding ?? null, response.vary]).toEqual([encoding, expect.stringContaining('Accept-Encoding')]);
    const plain = encoding ? decoders[encoding](response.bytes) : response.bytes;
    expect(JSON.parse(plain.toString())).toEqual((await client.get('/sidekicks')).body);
    if (encoding) expect(response.bytes.length).toBeLessThan(plain.length / 2);
  });

  test('short responses and streams are not compressed', async () => {
    const { submissionId } = await submitAndCancel(client);
    const headers = { 'accept-encoding': 'br, gzip' };
    expect((await fetchRaw(`${prefixes[0]}/me`, headers)).headers.has('content-encoding')).toBe(false);
    const stream = await fetchRaw(`${prefixes[0]}/realtime?channel=submission.${submissionId}`, headers);
    expect([stream.status, stream.headers.has('content-encoding')]).toEqual([200, false]);
  });
});

describe('only web pages of the configured origins may call the API (§D10)', () => {
  const preflight = (origin: string) =>
    fetchRaw(`${prefixes[0]}/submissions`, { origin, 'access-control-request-method': 'POST' }, 'OPTIONS');

  test('a preflight needs no key and allows the headers and methods of the API, but never credentials', async () => {
    const response = await fetch(`${api.url}${prefixes[0]}/submissions`, {
      method: 'OPTIONS',
      headers: { origin: pageOrigin, 'access-control-request-method': 'POST' },
    });
    expect(response.status).toBe(204);
    const { headers } = response;
    expect(headers.get('access-control-allow-origin')).toBe(pageOrigin);
    expect(headers.get('access-control-allow-headers')).toContain('X-API-Key');
    expect(headers.get('access-control-allow-methods')).toContain('DELETE');
    expect(headers.has('access-control-allow-credentials')).toBe(false);
    expect(headers.get('vary')).toContain('Origin');
  });

  test('successful and failed responses name the allowed origin and the readable headers', async () => {
    for (const path of ['/me', `/submissions/${randomUUID()}`]) {
      const { headers } = await fetchRaw(prefixes[0] + path, { origin: pageOrigin });
      expect(headers.get('access-control-allow-origin')).toBe(pageOrigin);
      expect(headers.get('access-control-expose-headers')).toMatch(/Retry-After.*X-Request-Id/);
    }
  });

  test('responses to origins that are not configured contain no CORS headers', async () => {
    for (const origin of ['https://evil.example.com', 'https://app.example.com.evil.com', 'null']) {
      expect((await preflight(origin)).status).toBe(405);
      const response = await fetchRaw(`${prefixes[0]}/me`, { origin });
      expect(response.headers.has('access-control-allow-origin')).toBe(false);
    }
  });

  test('responses contain no CORS headers if no origins are configured', async () => {
    const closed = await openTestApi(liftedLimits);
    const response = await fetch(`${closed.url}${prefixes[0]}/me`, { headers: { origin: pageOrigin } });
    expect([response.headers.has('access-control-allow-origin'), response.headers.has('vary')]).toEqual([false, false]);
  });
});

test('timestamps in a query may have a UTC offset, as in RFC 3339 (§D15)', async () => {
  const { submissionId } = await submit(client, [await uploadText(client)]);
  const { createdAt } = (await client.get(`/submissions/${submissionId}`)).body;
  const inTwoZones = [createdAt, new Date(Date.parse(createdAt) + 2 * 3_600_000).toISOString().replace('Z', '+02:00')];
  for (const moment of inTwoZones) {
    const { status, body } = await client.get(`/submissions?createdBefore=${encodeURIComponent(moment)}`);
    expect(status).toBe(200);
    expect(body.submissions.map((one: { submissionId: string }) => one.submissionId)).not.toContain(submissionId);
  }
});

test('events contain the clientReference of the caller, and no other metadata (§D17)', async () => {
  const subscription = await subscribe(client, 'http://127.0.0.1:9/');
  const bodyOf = async (metadata: object) => {
    const { submissionId } = await submit(client, [await uploadText(client)], { metadata });
    await client.post(`/submissions/${submissionId}/cancel`);
    const list = await client.get(`/webhooks/subscriptions/${subscription.subscriptionId}/deliveries?limit=1`);
    const { deliveryId } = list.body.deliveries[0];
    const path = `/webhooks/subscriptions/${subscription.subscriptionId}/deliveries/${deliveryId}`;
    return (await client.get(path)).body.payload.data;
  };
  expect(await bodyOf({ clientReference: 'order 17', secret: 'x' })).toMatchObject({ client_reference: 'order 17' });
  for (const clientReference of ['x'.repeat(201), 17, null, { a: 1 }])
    expect(await bodyOf({ clientReference })).not.toHaveProperty('client_reference');
});
