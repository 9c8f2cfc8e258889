import { describe, expect, test } from 'vitest';
import { type Cost, type FileKind, type Measured, type MeasuredCase, resources } from '#bench/cost/measured.ts';
import { readAssumptions } from './assumptions.ts';
import { formatNumber } from './format-plan.ts';
import { type Growth, type Plan, planScale } from './plan.ts';
import { checkPrices, priceItems } from './prices.ts';

const costOf = (some: Partial<Cost>): Cost =>
  Object.fromEntries(Object.keys(resources).map((name) => [name, some[name as keyof Cost] ?? 0])) as Cost;

const text = { workerMillis: 50, apiMillis: 6, postgresMillis: 20, temporalMillis: 40, commits: 10, walBytes: 20_000 };
const share = { statements: 1, engineStatements: 3, statementWalBytes: 1000, engineStatementWalBytes: 4000 };

const caseOf = (kind: FileKind, cost: Partial<Cost>, rest: Partial<MeasuredCase>): MeasuredCase => ({
  name: kind,
  mode: 'live',
  kind,
  what: kind,
  assetCount: 1,
  checks: 'default',
  deliveryCount: 0,
  fileBytes: 5,
  submissionCount: 1,
  millis: 100,
  historyEvents: 12,
  historyBytes: 3000,
  evidenceBytes: 0,
  cost: costOf({ ...text, ...share, ...cost }),
  ...rest,
});

/** Round numbers: each asset costs the worker 10 ms more, each second of video 1000 ms, a delivery 4 ms. */
const measured: Measured = {
  date: '2026-11-19',
  command: 'pnpm bench cost',
  machine: 'a machine',
  toolJail: 'landlock',
  versions: {},
  cases: [
    caseOf('text', {}, { checks: 'File safety' }),
    caseOf(
      'text',
      { workerMillis: 540 },
      { checks: 'File safety', assetCount: 50, historyEvents: 257, historyBytes: 52_000 },
    ),
    caseOf('text', {}, { checks: 'File safety', mode: 'sandbox' }),
    caseOf('image', { workerMillis: 150 }, { fileBytes: 3_000_000 }),
    caseOf('document', { workerMillis: 70 }, { fileBytes: 500_000 }),
    caseOf('audio', { workerMillis: 350 }, { fileBytes: 600_000, fileSeconds: 30, evidenceBytes: 3000 }),
    caseOf('video', { workerMillis: 10_050 }, { fileBytes: 19_000_000, fileSeconds: 10, evidenceBytes: 40_000 }),
    caseOf('text', { workerMillis: 54 }, { checks: 'File safety', deliveryCount: 1 }),
  ],
  requests: { uploadUrl: costOf({ apiMillis: 0.5 }), readSubmission: costOf({ apiMillis: 0.25 }) },
};

/** 100 submissions a second and 200 at the peak, each a video of 20 s; nothing around it. */
const videos = {
  'per-day': '8640000',
  peak: '2',
  utilisation: '0.5',
  ...{ image: '0', document: '0', audio: '0', text: '0', video: '100' },
  'video-seconds': '20',
  reads: '0',
  webhooks: '0',
};
const plan = (changes: Parameters<typeof readAssumptions>[0] = {}, growth?: Growth): Plan =>
  planScale(measured, readAssumptions({ ...videos, ...changes }), growth);
const onlyTexts = { video: '0', text: '100' };

describe('the plan for a number of submissions', () => {
  test('cores are the CPU time of a second at the peak, divided by the utilisation', () => {
    const { cores, machines, processes, rates } = plan();
    expect(rates).toMatchObject({ submissionsPerSecond: 100, peakPerSecond: 200 });
    expect(cores.worker).toBeCloseTo((200 * (50 + 20_000)) / 1000 / 0.5);
    expect(cores.postgres).toBeCloseTo((200 * 20) / 1000 / 0.5);
    expect(cores.temporal).toBeCloseTo((200 * 40) / 1000 / 0.5);
    expect(processes).toMatchObject({ worker: 2005, connections: (2005 + 3) * 10 });
    expect(machines.worker).toBe(502); // 8020 cores, 16 in each machine
  });

  test('files of a submission share its fixed part', () => {
    const { each } = plan({ ...onlyTexts, assets: '5' });
    expect(each.cost.workerMillis).toBeCloseTo(50 + 4 * 10);
    expect(each.historyEvents).toBeCloseTo(12 + 4 * 5);
    expect(each.historyBytes).toBeCloseTo(3000 + 4 * 1000);
  });

  test('each kind of file counts with its share and, if it has one, its duration', () => {
    const { each } = plan({ image: '50', audio: '50', video: '0', 'audio-seconds': '60' });
    expect(each.cost.workerMillis).toBeCloseTo(50 + 0.5 * 100 + 0.5 * 600);
    expect(each.workerMillisByKind).toMatchObject({ image: 150, audio: 650, text: 50 });
    expect(each.mediaBytes).toBeCloseTo(0.5 * 3_000_000 + 0.5 * 1_200_000);
    expect(each.evidenceBytes).toBeCloseTo(0.5 * 6000);
  });

  test('upload URLs, reads and webhooks are included', () => {
    const { each, rates } = plan({ ...onlyTexts, assets: '3', reads: '4', webhooks: '2' });
    expect(each.cost.apiMillis).toBeCloseTo(6 + 3 * 0.5 + 4 * 0.25);
    expect(each.cost.workerMillis).toBeCloseTo(50 + 2 * 10 + 3 * 2 * 4);
    expect(rates.webhooksPerSecond).toBeCloseTo(200 * 3 * 2);
  });

  test('the log and the commits of PostgreSQL are per second at the peak, and per day', () => {
    const { database, limits } = plan();
    expect(database).toMatchObject({ engineStatementShare: 0.75, engineWalShare: 0.8 });
    expect(database.commitsPerSecond).toBeCloseTo(2000);
    expect(database.walBytesPerSecond).toBeCloseTo(4_000_000);
    expect(database.walBytesPerDay).toBeCloseTo(8_640_000 * 20_000);
    expect(limits.find(({ name }) => name === 'log of PostgreSQL')).toMatchObject({ unit: 'MB/s', needed: 8 });
  });

  test('rows are kept for as long as their table is, and stills and measurements are counted by kind', () => {
    const growth: Growth = {
      date: '2026-11-19',
      command: 'pnpm growth',
      submissions: 1000,
      bytesPerSubmission: { submissions: 1000, events: 1, stills: 9000, runs_to_start: 700 },
      bytesPerNewSubmission: { events: 500 },
    };
    const { database } = plan({}, growth);
    expect(database.tableBytes).toBeCloseTo(8_640_000 * (1000 * 365 + 500 * 30));
    expect(database.evidenceBytes).toBeCloseTo(8_640_000 * 80_000 * 365);
    expect(database.historyBytes).toBeCloseTo(8_640_000 * 3000 * 1 * 3);
    expect(plan().database.tableBytes).toBeUndefined();
  });

  test('media are kept for their days, written once and read once', () => {
    const { storage, rates } = plan({ assets: '2' });
    expect(storage.objects).toBeCloseTo(8_640_000 * 2 * 30);
    expect(storage.bytes).toBeCloseTo(8_640_000 * 2 * 38_000_000 * 30);
    expect(storage.inBitsPerSecond).toBeCloseTo(200 * 2 * 38_000_000 * 8);
    expect(storage.outBitsPerSecond).toBe(storage.inBitsPerSecond);
    expect(rates.storageRequestsPerSecond).toBeCloseTo(200 * 2 * 5);
  });

  test('limits are in the order in which they are reached, and the number of cells follows from them', () => {
    const { limits, cells, processes, machines } = plan();
    const reached = limits.map(({ reachedPerDay }) => reachedPerDay);
    expect(reached).toEqual(reached.toSorted((a, b) => a - b));
    expect(limits[0]).toMatchObject({ name: 'CPU of a worker machine', needsCell: false });
    expect(limits[0]?.reachedPerDay).toBeCloseTo((8_640_000 * 16) / 8020);
    expect(limits.find(({ name }) => name === 'connections of PostgreSQL')).toMatchObject({
      needed: processes.connections,
      carries: 1000,
      reachedPerDay: (8_640_000 * 1000) / processes.connections,
    });
    expect(cells).toBe(21); // 20,080 connections, 1000 to each server
    expect(machines).toMatchObject({ postgresServers: 42, redisServers: 21 });
  });

  test('twice the submissions need twice of everything but cells, which are whole', () => {
    const [one, two] = [plan({ 'per-day': '50000000' }), plan({ 'per-day': '100000000' })];
    for (const part of ['worker', 'api', 'postgres', 'temporal'] as const) {
      expect(two.cores[part]).toBeCloseTo(2 * one.cores[part]);
    }
    expect(two.storage.bytes).toBeCloseTo(2 * one.storage.bytes);
    expect(two.limits.map(({ reachedPerDay }) => Math.round(reachedPerDay / 1e5))).toEqual(
      one.limits.map(({ reachedPerDay }) => Math.round(reachedPerDay / 1e5)),
    );
  });
});

describe('the assumptions', () => {
  test.each([
    [{ peak: 'three' }, '--peak: three is not a valid number of times'],
    [{ 'per-day': '0' }, '--per-day: 0 is not a valid number of submissions'],
    [{ video: '30' }, 'add up to 110 %'],
    [{ utilisation: '1.2' }, '--utilisation: must be at most 1'],
  ])('%j is refused', (changes, message) => {
    expect(() => readAssumptions(changes)).toThrow(message);
  });
});

describe('prices', () => {
  const origin = { source: 'a price list', date: '2026-11-19' };

  test('an item costs its quantity of a month times its price', () => {
    const prices = {
      currency: 'EUR',
      prices: { storageGbMonth: { price: 0.02, ...origin }, coreHour: { price: 1, ...origin } },
    };
    const [storage, cores] = priceItems(plan(), checkPrices(prices, 'prices.json'));
    expect(storage).toMatchObject({ name: 'storageGbMonth', ...origin });
    expect(storage?.quantity).toBeCloseTo((8_640_000 * 38_000_000 * 30) / 1e9);
    expect(storage?.perMonth).toBeCloseTo((storage?.quantity ?? 0) * 0.02);
    // 502 worker machines, one for the API and one for Temporal; PostgreSQL twice, and a core of Redis for each cell.
    expect(cores?.perMonth).toBeCloseTo((504 * 16 + 2 * 8 + 21) * 730.5);
  });

  test.each([
    [{ prices: {} }, 'must have "currency"'],
    [
      { currency: 'EUR', prices: { coreHour: { price: 1, source: '', date: '2026-11-19' } } },
      'must have "price", "source" and "date"',
    ],
    [
      { currency: 'EUR', prices: { coreHour: { price: 1, source: 'a price list', date: 'today' } } },
      'must have "price"',
    ],
    [{ currency: 'EUR', prices: { gold: { price: 1, ...origin } } }, 'gold is unknown'],
  ])('%j is refused', (prices, message) => {
    expect(() => checkPrices(prices, 'prices.json')).toThrow(message);
  });
});

test.each([
  [8020.4, '8,020'],
  [1_234_567, '1,230,000'],
  [12.345, '12.3'],
  [0.01234, '0.0123'],
  [0, '0'],
])('%d is printed as %s', (value, printed) => {
  expect(formatNumber(value)).toBe(printed);
});
