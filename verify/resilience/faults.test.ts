import { setTimeout as sleep } from 'node:timers/promises';
import { down, up } from '@assay/stack/control.ts';
import { environmentOf } from '@assay/stack/instance.ts';
import type { Part } from '@assay/stack/part.ts';
import { postgres } from '@assay/stack/parts/postgres.ts';
import { redis } from '@assay/stack/parts/redis.ts';
import { pidOf } from '@assay/stack/process.ts';
import { liftedLimits, openTestApi, testEnvironment } from '@assay/testing/service/api.ts';
import { startServerProcess } from '@assay/testing/service/api-process.ts';
import { type ApiResponse, createClient } from '@assay/testing/service/client.ts';
import { countByStatus, sendLoad } from '@assay/testing/service/load.ts';
import { asOwner, makeDatabase } from '@assay/testing/service/make-database.ts';
import pg from 'pg';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { openFaultsInstance } from './faults-instance.ts';

/** A separate stack instance, because its parts are stopped, killed or made to hang here. */
const { instance, storage } = openFaultsInstance();
const parts = [postgres, redis, storage];
await up(instance, parts);
const serverUrl = environmentOf(instance).DATABASE_URL as string;
const databaseUrl = await makeDatabase(serverUrl, 'assay_faults');
const environment: Record<string, string> = { ...environmentOf(instance), DATABASE_URL: databaseUrl };

const api = await openTestApi({ ...environment, ...liftedLimits });
const workspace = await api.makeWorkspace();
const client = api.client(workspace.liveKey);
const sandbox = api.client(workspace.sandboxKey);
const getMe = () => client.get('/me');
const createUrl = () => client.post('/uploads/url', { filename: 'a.txt', contentType: 'text/plain' });
const createSubscription = () =>
  client.post('/webhooks/subscriptions', { url: 'http://127.0.0.1:9/', eventTypes: ['asset.processing.failed'] });
const listSubscriptions = () => client.get('/webhooks/subscriptions');
const openEvents = () => sandbox.get(`/realtime?channel=webhooks.${workspace.workspaceId}`);
const uploadFile = () => client.uploadFile('a.txt', 'hello');
/** `REDIS_KILLS=10` in the nightly run. */
const redisKills = Number(process.env.REDIS_KILLS ?? 3);
// Generous, because other tests run meanwhile: it only detects requests that hang, up to 120 s without time limits.
// partitions.test.ts verifies the limit of 5 s.
const responseMillisMax = 15_000;

afterEach(() => up(instance, parts), 60_000);
afterAll(() => down(instance, parts));

/** Tests that do not use storage run only once, with Azure. */
const describeOnce = instance.storage === 's3' ? () => {} : describe;

const signalPart = (part: Part, name: NodeJS.Signals) => process.kill(pidOf(instance, part.name) as number, name);

async function withOwnerConnection<T>(work: (owner: pg.Client) => Promise<T>): Promise<T> {
  const owner = new pg.Client({ connectionString: asOwner(databaseUrl) });
  await owner.connect();
  return work(owner).finally(() => owner.end());
}

async function measureRequest(ask: () => Promise<ApiResponse>): Promise<ApiResponse & { millis: number }> {
  const begin = Date.now();
  return { ...(await ask()), millis: Date.now() - begin };
}

async function untilHealthy(ask: () => Promise<ApiResponse>, status: number): Promise<ApiResponse> {
  for (let attempt = 0; attempt <= 100; attempt++) {
    const response = await ask();
    if (response.status === status) return response;
    await sleep(100);
  }
  return expect.fail('it did not recover');
}

describeOnce('502: PostgreSQL does not respond', () => {
  const requests = {
    'GET /me': { ask: getMe, success: 200 },
    'POST /uploads/url': { ask: createUrl, success: 200 },
    'POST /webhooks/subscriptions': { ask: createSubscription, success: 201 },
    'GET /webhooks/subscriptions': { ask: listSubscriptions, success: 200 },
    'GET /realtime': { ask: openEvents, success: 200 },
  };

  test('every request gets service_unavailable while PostgreSQL is stopped, and succeeds again without a restart (§7c)', async () => {
    for (const [name, { ask, success }] of Object.entries(requests)) expect((await ask()).status, name).toBe(success);
    await down(instance, [postgres]);
    for (const [name, { ask }] of Object.entries(requests)) {
      const response = await measureRequest(ask);
      expect(response, name).toMatchObject({ status: 502, body: { code: 'service_unavailable' } });
      expect(response.millis, name).toBeLessThan(responseMillisMax);
    }
    const ready = await fetch(`${api.url}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ status: 'not ready', parts: { postgres: 'down', blobs: 'up' } });
    await up(instance, [postgres]);
    for (const { ask, success } of Object.values(requests)) await untilHealthy(ask, success);
  });

  test('every request gets a response in bounded time while PostgreSQL hangs, and requests succeed afterwards', async () => {
    expect((await getMe()).status).toBe(200);
    signalPart(postgres, 'SIGSTOP');
    // Each connection has its own server process, which keeps running; a new connection gets no response.
    const crowd = await Promise.all(Array.from({ length: 30 }, () => measureRequest(createUrl))).finally(() =>
      signalPart(postgres, 'SIGCONT'),
    );
    for (const response of crowd) {
      expect([200, 502]).toContain(response.status);
      expect(response.millis).toBeLessThan(responseMillisMax);
    }
    await untilHealthy(getMe, 200);
  });

  test('a request whose SQL statement hangs gets 502 in bounded time, and later requests succeed', async () => {
    const response = await withOwnerConnection(async (owner) => {
      await owner.query('begin; lock table blobs in access exclusive mode');
      return measureRequest(createUrl);
    });
    expect(response).toMatchObject({ status: 502, body: { code: 'service_unavailable' } });
    expect(response.millis).toBeLessThan(responseMillisMax);
    await untilHealthy(createUrl, 200);
  });
});

describeOnce('500: PostgreSQL returns an unexpected error', () => {
  test('a request gets internal_error without internal details', async () => {
    const response = await withOwnerConnection(async (owner) => {
      await owner.query('alter table blobs rename to blobs_gone');
      return createUrl().finally(() => owner.query('alter table blobs_gone rename to blobs'));
    });
    expect(response).toMatchObject({ status: 500, body: { code: 'internal_error' } });
    expect(JSON.stringify(response.body)).not.toMatch(/blobs|relation|\.ts|at /);
  });
});

describe('502: object storage does not respond', () => {
  const needStorage = [
    ['a direct upload', async () => uploadFile],
    [
      'a submission',
      async () => {
        // Repeated, because a connection that the last test has left may break, and a busy disk may take too long.
        const { body } = await untilHealthy(uploadFile, 201);
        const json = { assets: [{ blobPath: body.blobPath }] };
        return () => client.post('/submissions', json);
      },
    ],
  ] as const;

  test.each(needStorage)(
    '%s gets storage_unavailable while storage is stopped, and succeeds again without a restart (§7c)',
    async (_, prepare) => {
      const ask = await prepare();
      expect((await ask()).status).toBe(201);
      await down(instance, [storage]);
      expect(await ask()).toMatchObject({ status: 502, body: { code: 'storage_unavailable' } });
      expect((await createUrl()).status).toBe(200); // signing needs no storage
      await up(instance, [storage]);
      await untilHealthy(ask, 201);
    },
  );

  test.each(needStorage)(
    '%s gets 502 in bounded time while storage hangs, and succeeds afterwards',
    async (_, prepare) => {
      const ask = await prepare();
      signalPart(storage, 'SIGSTOP');
      const response = await measureRequest(ask).finally(() => signalPart(storage, 'SIGCONT'));
      expect(response).toMatchObject({ status: 502, body: { code: 'storage_unavailable' } });
      expect(response.millis).toBeLessThan(responseMillisMax);
      await untilHealthy(ask, 201);
    },
  );
});

describe('500: object storage rejects the credentials of the service', () => {
  test('an upload gets internal_error if the storage account key was changed (§4.2f, §7p)', async () => {
    const locked = await openTestApi({
      ...environment,
      ...liftedLimits,
      BLOB_ACCOUNT_KEY: Buffer.from('another').toString('base64'),
      ...(environment.S3_SECRET_ACCESS_KEY && { S3_SECRET_ACCESS_KEY: 'another' }),
    });
    const response = await locked.client((await locked.makeWorkspace()).liveKey).uploadFile('a.txt', 'hello');
    expect(response).toMatchObject({ status: 500, body: { code: 'internal_error' } });
  });
});

describeOnce('Redis', () => {
  test.each(['SIGKILL', 'SIGSTOP'] as const)('requests still succeed after Redis receives %s', async (name) => {
    signalPart(redis, name);
    for (let turn = 0; turn < 5; turn++) expect((await getMe()).status).toBe(200);
    if (name === 'SIGSTOP') signalPart(redis, 'SIGCONT');
  });

  test(`${redisKills} kills of Redis under load cause no 5xx; meanwhile each process applies the rate limits alone, and afterwards they are shared again`, async () => {
    const limit = 40;
    const limited = testEnvironment({
      ...environment,
      RATE_LIMITS: JSON.stringify({ pro: { submission_read: limit } }),
    });
    const processes = await Promise.all([1, 2].map(() => startServerProcess('api', limited)));
    const urls = processes.map(({ url }) => url);
    try {
      const { liveKey } = await api.makeWorkspace('pro');
      const begin = Date.now();
      let isDone = false;
      const load = (async () => {
        const rounds = [];
        while (!isDone) rounds.push(await sendLoad(urls, liveKey, { until: Date.now() + 500, pauseMillis: 2 }));
        return rounds;
      })();
      for (let kill = 0; kill < redisKills; kill++) {
        await sleep(700);
        signalPart(redis, 'SIGKILL');
        await sleep(700);
        await up(instance, [redis]);
      }
      isDone = true;
      const rounds = await load;
      expect(Date.now() - begin).toBeLessThan(59_000); // all within one rate limit window of each process
      for (const [index] of urls.entries()) {
        const own = rounds.map((round) => round[index] as (typeof round)[number]);
        const statuses = new Set(own.flatMap(({ byStatus }) => Object.keys(byStatus)));
        expect([...statuses].filter((status) => status !== '200' && status !== '429')).toEqual([]);
        expect(countByStatus(own, 200)).toBeLessThanOrEqual(limit);
        console.log(`process ${index}: ${countByStatus(own, 200)} allowed, ${countByStatus(own, 429)} refused`);
      }
      const countAllowed = async () => {
        const { liveKey: freshKey } = await api.makeWorkspace('pro');
        return countByStatus(await sendLoad(urls, freshKey, { count: 400 }), 200);
      };
      await expect.poll(countAllowed, { timeout: 20_000 }).toBe(limit); // both processes have connected again
    } finally {
      await Promise.all(processes.map((one) => one.stop()));
    }
  }, 120_000);
});

describeOnce('an API that receives SIGTERM', () => {
  test('becomes unready, completes open requests and exits with 0', async () => {
    const one = await startServerProcess(
      'api',
      testEnvironment({ ...environment, ...liftedLimits, DRAIN_SECONDS: '1' }),
    );
    const { liveKey } = await api.makeWorkspace();
    const { promise: rest, resolve: sendRest } = Promise.withResolvers<void>();
    const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';
    const body = new ReadableStream({
      async start(controller) {
        const encode = (text: string) => controller.enqueue(new TextEncoder().encode(text));
        encode(`${head}hel`);
        await rest;
        encode('lo\r\n--x--\r\n');
        controller.close();
      },
    });
    const upload = createClient(one.url, liveKey).send('POST', '/uploads/direct', {
      body,
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    });
    await sleep(300);
    const stopped = one.stop('SIGTERM');
    await sleep(300);
    const ready = await fetch(`${one.url}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ status: 'stopping' });
    sendRest();
    expect(await upload).toMatchObject({ status: 201, body: { sizeBytes: 5 } });
    expect(await stopped).toBe(0);
    await expect(fetch(`${one.url}/healthz`)).rejects.toThrow();
  });
});
