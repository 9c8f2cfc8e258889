import { randomBytes, randomUUID } from 'node:crypto';
import { buckets, jsonBodyBytesMax } from '@assay/contract/limits.ts';
import { type Scope, scopes } from '@assay/contract/rights.ts';
import { isOneFile, prefixes, type Route } from '@assay/contract/route.ts';
import { routes } from '@assay/contract/routes.ts';
import { openTestApi, type TestWorkspace } from '@assay/testing/service/api.ts';
import { beforeAll, describe, expect, test } from 'vitest';

const api = await openTestApi({
  RATE_LIMITS: JSON.stringify({ starter: Object.fromEntries(buckets.map((bucket) => [bucket, 2])) }),
  TRUSTED_PROXIES: '127.0.0.1',
});
const [prefix, ...otherPrefixes] = prefixes;
const declaredRoutes = Object.values<Route>(routes);
const everyRoute = declaredRoutes.map((route) => ({
  ...route,
  url: route.path.replaceAll(/\{\w+\}/g, () => randomUUID()),
}));
const everyMethod = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const unknownKey = `sk_live_${randomBytes(32).toString('hex')}`;
const planRefusal = (bucket: Route['bucket']) => ({
  error_code: 'tier_not_authorized_for_integrations_api',
  message: expect.any(String),
  bucket,
});
let freeWorkspace: TestWorkspace;

/** A key that may also manage keys. */
async function createManager(workspaceId: string): Promise<string> {
  const options = ['--workspace', workspaceId, '--mode', 'live', '--scopes', scopes.join(',')];
  return ((await api.admin('key', 'create', ...options)) as { key: string }).key;
}

beforeAll(async () => {
  freeWorkspace = await api.makeWorkspace('free');
});

describe.each(everyRoute)(
  `$method ${prefix}$path`,
  ({ method, path, url, bucket, scope, body: bodyOf, isSandboxOnly }) => {
    describe('401: the key is missing or not valid (§4a, §5a, §5c, §7f)', () => {
      test.each([
        ['missing_api_key', undefined],
        ['invalid_api_key', unknownKey],
        ['invalid_api_key', 'sk_live_short'],
        ['invalid_api_key', `pk_live_${randomBytes(32).toString('hex')}`],
      ])('the response has the code %s', async (code, key) => {
        // Each request comes from a different address, because this many failures from one address lead to 429.
        const headers = { 'x-forwarded-for': `10.${[...randomBytes(3)].join('.')}` };
        const response = await api.client(key).send(method, url, { prefix, headers });
        expect(response).toMatchObject({ status: 401, body: { code, status: 401 } });
      });
    });

    describe('402: the plan does not include the service (§5d, §7b)', () => {
      test.each(['liveKey', 'sandboxKey'] as const)(
        'a request with the %s of a free workspace gets exactly the documented body',
        async (kind) => {
          const { status, headers, body } = await api.client(freeWorkspace[kind]).send(method, url, { prefix });
          expect(status).toBe(402);
          expect(headers.get('content-type')).toMatch(/^application\/json/);
          expect(body).toEqual(planRefusal(bucket));
        },
      );
    });

    describe('429: the rate limit is used up (§4b, §7a, §7o, §8.2b)', () => {
      test('the response body has exactly one member, and Retry-After is in whole seconds', async () => {
        const client = api.client((await api.makeWorkspace('starter')).liveKey);
        const statuses = [await client.send(method, url, { prefix }), await client.send(method, url, { prefix })];
        expect(statuses.map(({ status }) => status)).not.toContain(429);
        const { status, headers, body } = await client.send(method, url, { prefix });
        expect(status).toBe(429);
        expect(body).toEqual({ error: expect.any(String) });
        expect(headers.get('content-type')).toMatch(/^application\/json/);
        expect(headers.get('retry-after')).toMatch(/^([1-9]|[1-5][0-9]|60)$/);
      });
    });

    describe('422: the request contains something that no route accepts', () => {
      const multipart = { 'content-type': 'multipart/form-data; boundary=x' };
      const bad: [code: string, query: string, request: { body?: string; headers?: Record<string, string> }][] = [
        ['validation_failed', '?unknown=1', isOneFile(bodyOf) ? { headers: multipart } : {}],
      ];
      if (bodyOf)
        bad.push(['unsupported_content_encoding', '', { body: '{}', headers: { 'content-encoding': 'gzip' } }]);
      if (bodyOf && !isOneFile(bodyOf)) bad.push(['request_too_large', '', { body: ' '.repeat(jsonBodyBytesMax + 1) }]);
      test.each(bad)('the response has the code %s (query: "%s")', async (code, query, request) => {
        const { workspaceId, liveKey, sandboxKey } = await api.makeWorkspace('pro');
        const usualKey = isSandboxOnly ? sandboxKey : liveKey;
        const response = await api
          .client(scope === 'manage' ? await createManager(workspaceId) : usualKey)
          .send(method, url + query, { prefix, ...request });
        expect(response).toMatchObject({ status: 422, body: { code } });
      });
    });

    describe('405: the method is not allowed for the path', () => {
      const methods = declaredRoutes.filter((route) => route.path === path).map((route) => route.method);
      const allowed = methods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : one));
      const others = everyMethod.filter((one) => !allowed.includes(one));
      test.each(others)('%s is refused, and the Allow header lists the allowed methods', async (other) => {
        const response = await api.client().send(other, url, { prefix });
        expect(response).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
        expect(response.headers.get('allow')?.split(', ').sort()).toEqual(allowed.sort());
      });
    });
  },
);

describe('403: the key lacks the scope of the route', () => {
  test.each(everyRoute.filter(({ scope }) => scope !== null))(
    '$method $path is refused to a key with every scope except $scope, before anything else is checked',
    async ({ method, url, scope }) => {
      const response = await api
        .client(await keyWithout(scope as Scope))
        .send(method, url, method === 'GET' ? {} : { body: '{' });
      const problem = { code: 'insufficient_scope', detail: expect.stringContaining(`\`${scope}\``) };
      expect(response).toMatchObject({ status: 403, body: problem });
    },
  );

  /** A key with every scope except this one. */
  async function keyWithout(scope: Scope): Promise<string> {
    const { workspaceId } = await api.makeWorkspace('pro');
    const others = scopes.filter((one) => one !== scope).join(',');
    const args = ['--workspace', workspaceId, '--mode', 'sandbox', '--scopes', others];
    return ((await api.admin('key', 'create', ...args)) as { key: string }).key;
  }
});

// The routes are registered in one loop for all prefixes, so one request proves that a route exists.
describe.each(otherPrefixes)('the same routes exist under the prefix %s', (other) => {
  test.each(everyRoute)('$method $path is refused with 402 for a free workspace', async ({ method, url, bucket }) => {
    const response = await api.client(freeWorkspace.liveKey).send(method, url, { prefix: other });
    expect(response).toMatchObject({ status: 402, body: planRefusal(bucket) });
  });

  test.each([
    ['PUT', '/me', 405],
    ['GET', '/nothing', 404],
  ])('%s %s is refused with %i', async (method, path, status) => {
    expect(await api.client().send(method, path, { prefix: other })).toMatchObject({ status });
  });
});

describe('404 and 405 are decided before the body is checked', () => {
  const malformed = { body: '{', headers: { 'content-type': 'application/json' } };
  test('a method that is not allowed is refused with 405, even if the body is malformed', async () => {
    expect(await api.client().send('PUT', '/me', malformed)).toMatchObject({ status: 405 });
  });
  test('an unknown path is refused with 404, even if the body is malformed', async () => {
    expect(await api.client().send('POST', '/nothing', malformed)).toMatchObject({ status: 404 });
  });
});

describe('404: the endpoint does not exist', () => {
  test.each(['/nothing', '/uploads', '/uploads/url/x', '/me/%', '/me//'])('GET %s is refused', async (path) => {
    const response = await api.client().send('GET', path);
    expect(response).toMatchObject({ status: 404, body: { code: 'route_not_found' } });
  });
});

describe.each(prefixes)('an event stream under the prefix %s', (prefix) => {
  test('HEAD returns the same status and type as GET and ends the response', async () => {
    const { workspaceId, sandboxKey } = await api.makeWorkspace();
    const client = api.client(sandboxKey);
    const head = await client.send('HEAD', `/realtime?channel=webhooks.${workspaceId}`, { prefix });
    expect([head.status, head.headers.get('content-type'), head.body]).toEqual([200, 'text/event-stream', '']);
    expect((await client.send('HEAD', '/realtime', { prefix })).status).toBe(422);
  });
});
