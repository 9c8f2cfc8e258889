import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { keyRecheckSeconds } from '@assay/contract/limits.ts';
import { routes } from '@assay/contract/routes.ts';
import { openTestApi, type TestWorkspace, testEnvironment } from '@assay/testing/service/api.ts';
import { startServerProcess } from '@assay/testing/service/api-process.ts';
import { createClient } from '@assay/testing/service/client.ts';
import { countStatements } from '@assay/testing/service/count-statements.ts';
import { hasProductionTimes } from '@assay/testing/service/engine-times.ts';
import { hammer, sum } from '@assay/testing/service/load.ts';
import { afterAll, describe, expect, test } from 'vitest';

/** `LIMIT_REQUESTS=100000` in the nightly run. */
const requests = Number(process.env.LIMIT_REQUESTS ?? 1500);
/** `FLOOD_REQUESTS=50000` in the nightly run. */
const floodRequests = Number(process.env.FLOOD_REQUESTS ?? 500);
const limit = 500;

const environment = testEnvironment({ RATE_LIMITS: JSON.stringify({ pro: { submission_read: limit, upload: 3 } }) });
const processes = await Promise.all([1, 2, 3].map(() => startServerProcess('api', environment)));
const urls = processes.map(({ url }) => url);
const api = await openTestApi(environment);
afterAll(() => Promise.all(processes.map((process) => process.stop())));

// One after the other, because everything below runs concurrently and this is not about a busy database.
const trialWorkspaces: TestWorkspace[] = [];
while (trialWorkspaces.length < 100) trialWorkspaces.push(await api.makeWorkspace('pro'));

const hammered = await api.makeWorkspace('pro');
const independent = await api.makeWorkspace('pro');
const refused = await api.makeWorkspace('pro');
const sandboxed = await api.makeWorkspace('pro');
const { key: otherKey } = (await api.admin(
  ...['key', 'create', '--workspace', independent.workspaceId, '--mode', 'live'],
)) as { key: string };

describe('the limit of a bucket', () => {
  // Runs before the tests that keep the machine busy: a key lookup that is too slow causes a 502, which is not counted.
  test('applies to each bucket and each key separately (§8.2a)', async () => {
    const body = { filename: 'a.mp4', contentType: 'video/mp4' };
    const client = api.client(independent.liveKey);
    for (let turn = 0; turn < 4; turn++) await client.post('/uploads/url', body);
    expect((await client.post('/uploads/url', body)).status).toBe(429);
    expect((await client.get('/me')).status).toBe(200);
    expect((await api.client(otherKey).post('/uploads/url', body)).status).toBe(200);
  });

  test('counts refused requests too', async () => {
    const client = api.client(refused.liveKey);
    for (let turn = 0; turn < 3; turn++) expect((await client.post('/uploads/url', {})).status).toBe(422);
    expect((await client.post('/uploads/url', {})).status).toBe(429);
  });

  test('is that of the starter tier for a sandbox key, whatever the tier of its workspace', async () => {
    const client = api.client(sandboxed.sandboxKey);
    const body = { filename: 'a.mp4', contentType: 'video/mp4' };
    for (let turn = 0; turn < 30; turn++) expect((await client.post('/uploads/url', body)).status).toBe(200);
    expect((await client.post('/uploads/url', body)).status).toBe(429);
  });

  test(`holds across 3 processes that share one Redis and receive ${requests} requests`, async () => {
    const tallies = await hammer(urls, hammered.liveKey, { count: requests });
    const allowedAt = tallies.flatMap((tally) => tally.allowedAt).sort((a, b) => a - b);
    const allowed = sum(tallies, 200);
    console.log(`${allowed} allowed, ${sum(tallies, 429)} refused`);
    expect(allowed + sum(tallies, 429)).toBe(requests);
    // Fixed windows under constant load: the first `limit` responses use up the first window, and so on.
    const windows = Math.ceil(allowed / limit);
    for (let window = 1; window < windows; window++) {
      const apart = (allowedAt[window * limit] as number) - (allowedAt[(window - 1) * limit] as number);
      expect(apart).toBeGreaterThan(59_000);
    }
    if (windows === 1) expect(allowed).toBe(limit);
  }, 300_000);

  /** Ends the window of a key in a few seconds, at any time within a second. */
  async function shortenWindow({ workspaceId }: TestWorkspace): Promise<void> {
    const query = api.handles.db.selectFrom('api_keys').select('key_id').where('workspace_id', '=', workspaceId);
    const { key_id: keyId } = await query.where('mode', '=', 'live').executeTakeFirstOrThrow();
    expect(await api.handles.redis.pexpire(`limit:upload:${keyId}`, 3000 + randomInt(2000))).toBe(1);
  }

  test('is lifted after the time in Retry-After, in at least 99 of 100 trials (§7a, §8.2b)', async () => {
    const trials = trialWorkspaces.map(async (workspace, trial) => {
      const ask = (turn: number) =>
        createClient(urls[turn % urls.length] as string, workspace.liveKey).post('/uploads/url', {
          filename: 'a.mp4',
          contentType: 'video/mp4',
        });
      await sleep(randomInt(3000)); // so that windows start anywhere within a second
      for (let turn = 0; turn < 3; turn++) {
        // Before the last request: from then on its process knows the end of the window without Redis.
        if (turn === 2 && !hasProductionTimes) await shortenWindow(workspace);
        expect((await ask(turn)).status).toBe(200);
      }
      const { status, headers } = await ask(trial);
      expect(status).toBe(429);
      const retryAfterSeconds = Number(headers.get('retry-after'));
      await sleep(retryAfterSeconds * 1000);
      return (await ask(trial)).status;
    });
    const succeeded = (await Promise.all(trials)).filter((status) => status === 200).length;
    console.log(`Retry-After was true in ${succeeded} of 100 trials`);
    expect(succeeded).toBeGreaterThanOrEqual(99);
  }, 120_000);
});

// From §8.2, not read from the contract, because the contract is under test.
const subscription = '/webhooks/subscriptions/{subscription_id}';
const delivery = `${subscription}/deliveries/{delivery_id}`;
const covered: Record<string, string[]> = {
  webhook_write: [
    'POST /webhooks/subscriptions',
    `PATCH ${subscription}`,
    `DELETE ${subscription}`,
    `POST ${subscription}/rotate-secret`,
    `POST ${subscription}/test`,
    `POST ${subscription}/replay`,
    `POST ${delivery}/replay`,
  ],
  webhook_read: [
    'GET /webhooks/subscriptions',
    `GET ${subscription}`,
    `GET ${subscription}/deliveries`,
    `GET ${delivery}`,
    'GET /webhooks/event-types',
  ],
  sandbox: ['POST /sandbox/events/fire'],
};
const everyEndpoint = Object.values(routes).map(({ method, path }) => `${method} ${path}`);

describe('the buckets of webhooks and of the sandbox', () => {
  test.each(Object.entries(covered))('%s covers its endpoints and no others (§8.2e)', async (bucket, endpoints) => {
    const { client, makeWorkspace } = await openTestApi({ RATE_LIMITS: JSON.stringify({ pro: { [bucket]: 1 } }) });
    // One key per endpoint, used up by it: the other endpoints share its bucket.
    for (const first of endpoints) {
      const caller = client((await makeWorkspace('pro')).liveKey);
      const ask = async (endpoint: string) => {
        const [method = '', path = ''] = endpoint.split(' ');
        return (
          await caller.send(
            method,
            path.replaceAll(/\{\w+\}/g, () => randomUUID()),
          )
        ).status;
      };
      expect(await ask(first)).not.toBe(429);
      const refused: string[] = [];
      for (const endpoint of everyEndpoint) if ((await ask(endpoint)) === 429) refused.push(endpoint);
      expect(refused.sort()).toEqual(endpoints.toSorted());
    }
  });

  test('every webhook and sandbox endpoint belongs to one of these buckets (§8.2e)', () => {
    const theirs = everyEndpoint.filter((endpoint) => /\/(webhooks|sandbox)\//.test(endpoint));
    expect(theirs.sort()).toEqual(Object.values(covered).flat().sort());
  });
});

describe('failed authentications', () => {
  test('are refused with 429 after 100 a minute from one address, where valid keys keep working', async () => {
    const shielded = await openTestApi({ TRUSTED_PROXIES: '127.0.0.1' });
    const { liveKey } = await shielded.makeWorkspace('pro');
    const from = (address: string, key: string) =>
      shielded.client(key).get('/me', { headers: { 'x-forwarded-for': address } });
    const wrong = () => `sk_live_${randomBytes(32).toString('hex')}`;
    for (let turn = 0; turn < 100; turn++) expect((await from('192.0.2.1', wrong())).status).toBe(401);
    expect((await from('192.0.2.1', wrong())).status).toBe(429);
    expect((await from('192.0.2.1', liveKey)).status).toBe(200);
    expect((await from('192.0.2.2', wrong())).status).toBe(401);
  });

  test('above the limit cause at most five key lookups a second and do not affect a key that was valid before', async () => {
    const open = await openTestApi();
    const { liveKey } = await open.makeWorkspace('pro');
    expect((await open.client(liveKey).get('/me')).status).toBe(200);
    const guess = () => open.client(`sk_live_${randomBytes(32).toString('hex')}`).get('/me');
    for (let turn = 0; turn <= 100; turn++) await guess();

    const lookups = countStatements(/from "api_keys"/);
    const beganAt = performance.now();
    const statuses = new Set<number>();
    for (let turn = 0; turn < floodRequests; turn += 20) {
      for (const { status } of await Promise.all(Array.from({ length: 20 }, guess))) statuses.add(status);
      if (turn % 500 === 0) expect((await open.client(liveKey).get('/me')).status).toBe(200);
    }
    const seconds = (performance.now() - beganAt) / 1000;
    const own = seconds / keyRecheckSeconds; // lookups of the valid key, which is rechecked regularly
    const count = lookups.stop();
    console.log(`${floodRequests} wrong keys in ${seconds.toFixed(1)} s: ${count} look-ups`);
    expect(count).toBeLessThanOrEqual(5 * (seconds + 1) + own + 1);
    expect([...statuses]).toEqual([429]);
  });

  test('only a trusted proxy may set the client address', async () => {
    const open = await openTestApi();
    const ask = (address: string) => open.client().get('/me', { headers: { 'x-forwarded-for': address } });
    for (let turn = 0; turn < 100; turn++) expect((await ask(`192.0.2.${turn}`)).status).toBe(401);
    expect((await ask('198.51.100.1')).status).toBe(429);
  });
});
