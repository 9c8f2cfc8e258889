import { setTimeout as sleep } from 'node:timers/promises';
import { partCountMax } from '@assay/contract/limits.ts';
import { prefixes, type Route } from '@assay/contract/route.ts';
import { routes } from '@assay/contract/routes.ts';
import { exampleBlobPath } from '@assay/contract/schemas/examples.ts';
import { stores } from '@assay/testing/storage/stores.ts';
import { afterAll, describe, expect, test } from 'vitest';
import type { HostileRequest } from './event-loop/hostile-request.ts';
import { hostileHeaders, hostileRequests, pickHostileHeaders } from './event-loop/hostile-requests.ts';
import { hostileJson, hostileTexts } from './event-loop/hostile-texts.ts';
import { openMeasuredService } from './event-loop/service.ts';

/**
 * The longest busy time that is allowed, in addition to that of the idle process. The largest bodies take up to 55 ms on a
 * busy machine; a text that is read in more than linear time takes seconds.
 */
const busyMillisMax = 100;
/** How often a slow request is sent at most: one that is slow only because of the machine is not slow each time. */
const triesMax = 3;
/** Requests that are measured together; each is measured alone only if they took too long. */
const requestsPerMeasurement = 10;

const everyRoute = Object.values<Route>(routes);
/** One service for each store; the first gets all requests, as only POST /uploads/parts depends on the store. */
const services = await Promise.all(
  stores.map(async ({ name, environment }) => ({ name, at: await openMeasuredService(environment) })),
);
const service = (services[0] as (typeof services)[number]).at;

await service.takeBusyMillis();
await sleep(1000);
const idleMillis = await service.takeBusyMillis();
const measurements: { what: string; millis: number }[] = [];

afterAll(() => {
  const longest = measurements.toSorted((a, b) => b.millis - a.millis).slice(0, 5);
  const lines = longest.map(({ millis, what }) => `${millis.toFixed(0).padStart(5)} ms  ${what}`);
  console.log(
    [`event loop busy without a pause: ${idleMillis.toFixed(0)} ms when idle; at most:`, ...lines].join('\n'),
  );
});

const isTooLong = (millis: number) => millis > idleMillis + busyMillisMax;

/** The requests that keep the event loop busy for too long each time they are sent. */
async function findBlocking(name: string, requests: HostileRequest[], at = service): Promise<string[]> {
  for (const one of requests.slice(0, 3)) await at.send(one); // warms up: code is slower on its first run
  await at.takeBusyMillis();
  const blocking: string[] = [];
  for (let i = 0; i < requests.length; i += requestsPerMeasurement) {
    const some = requests.slice(i, i + requestsPerMeasurement);
    for (const one of some) expect([one.what, await at.send(one)]).toEqual([one.what, expectedStatus(one)]);
    const millis = await at.takeBusyMillis();
    measurements.push({ what: `${name}, ${some[0]?.what} …`, millis });
    if (isTooLong(millis)) blocking.push(...(await findRepeatedlyBlocking(some, at)));
  }
  return blocking;
}

async function findRepeatedlyBlocking(requests: HostileRequest[], at: typeof service): Promise<string[]> {
  const blocking: string[] = [];
  for (const one of requests) {
    let millis = Number.POSITIVE_INFINITY;
    for (let tries = 1; isTooLong(millis) && tries <= triesMax; tries++) {
      await at.send(one);
      millis = await at.takeBusyMillis();
    }
    if (isTooLong(millis)) blocking.push(`${one.what}: ${millis.toFixed(0)} ms`);
  }
  return blocking;
}

/** Any status below 500; 429 only if the API key is hostile. */
const expectedStatus = ({ what }: HostileRequest) =>
  expect.toSatisfy((status) => status >= 200 && status < 500 && (status !== 429 || what.includes('x-api-key')));

describe.each(everyRoute)('$method $path', (route) => {
  const parts = Object.entries(hostileRequests(route, service.existing));
  test.each(parts.filter(([, requests]) => requests.length > 0))(
    'a request with a hostile %s does not block other requests',
    async (_, requests) => {
      expect(await findBlocking(`${route.method} ${route.path}`, requests)).toEqual([]);
    },
    600_000,
  ); // thousands of requests with HOSTILE=all
});

describe('endpoints that need no API key', () => {
  const paths = ['/openapi.json', '/docs/', '/healthz', '/readyz'];
  test.each(paths)('a GET to %s with hostile headers does not block other requests', async (path) => {
    expect(await findBlocking(path, pickHostileHeaders({ method: 'GET', path }, paths.indexOf(path)))).toEqual([]);
  });

  test('a GET to an unknown path with a hostile value in any header does not block other requests', async () => {
    expect(await findBlocking('/nothing', [...hostileHeaders({ method: 'GET', path: '/nothing' })])).toEqual([]);
  });
});

test('every hostile value is sent in each part of a request to some route', () => {
  const sent = everyRoute.map((route) => hostileRequests(route, service.existing));
  for (const part of ['path', 'query', 'body', 'header', 'form']) {
    const whats = sent.flatMap((parts) => (parts[part] ?? []).map(({ what }) => what)).join('\n');
    const texts = hostileTexts.filter(({ inHeader }) => inHeader !== undefined || !['header', 'form'].includes(part));
    const names = [...texts.map(({ name }) => name), ...(part === 'body' ? hostileJson.map(([name]) => name) : [])];
    expect(
      names.filter((name) => !whats.includes(`: ${name}`)),
      part,
    ).toEqual([]);
  }
});

describe('POST /uploads/parts', () => {
  test.each(services)(
    `a request for ${partCountMax} parts in $name does not block other requests`,
    async ({ name, at }) => {
      const json = { blobPath: at.existing.byExample[exampleBlobPath], partCount: partCountMax };
      const body = () => Buffer.from(JSON.stringify(json));
      const one = { what: 'parts', method: 'POST', path: `${prefixes[0]}/uploads/parts`, body };
      expect(await findBlocking(name, [one], at)).toEqual([]);
    },
  );
});
