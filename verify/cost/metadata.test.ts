import { GCProfiler } from 'node:v8';
import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { expect, test } from 'vitest';

// Metadata belongs to a submission. Until it was read once for each of its assets, a list could take 4 s of CPU time.

const listLength = Number(process.env.LIST ?? 20);
const assetsPerSubmission = 50;
const rounds = 5;
/** 16 KiB that take long to parse: every empty list is an object of its own. */
const nested = { a: Array.from({ length: 5400 }, () => []) };

const api = await openTestApi(liftedLimits);

async function openList(metadata: object) {
  const client = api.client((await api.makeWorkspace()).liveKey);
  const blobPaths = await Promise.all(
    Array.from({ length: assetsPerSubmission }, (_, i) => uploadText(client, `${i}.txt`)),
  );
  for (let i = 0; i < listLength; i++) await submit(client, blobPaths, { metadata });
  return async () => (await client.get(`/submissions?limit=${listLength}`)).body;
}

type Cost = { cpuMillis: number; allocatedBytes: number };

async function costOf(work: () => unknown): Promise<Cost> {
  const profiler = new GCProfiler();
  profiler.start();
  const [cpuBefore, heapBefore] = [process.cpuUsage(), process.memoryUsage().heapUsed];
  await work();
  const { user, system } = process.cpuUsage(cpuBefore);
  const heapAfter = process.memoryUsage().heapUsed;
  const freed = profiler
    .stop()
    .statistics.reduce(
      (sum, { beforeGC, afterGC }) => sum + beforeGC.heapStatistics.usedHeapSize - afterGC.heapStatistics.usedHeapSize,
      0,
    );
  return { cpuMillis: (user + system) / 1000, allocatedBytes: heapAfter - heapBefore + freed };
}

/** The least of several rounds: a disturbance only adds. */
async function leastCostOf(work: () => unknown): Promise<Cost> {
  const costs: Cost[] = [];
  for (let i = 0; i < rounds; i++) costs.push(await costOf(work));
  return {
    cpuMillis: Math.min(...costs.map(({ cpuMillis }) => cpuMillis)),
    allocatedBytes: Math.min(...costs.map(({ allocatedBytes }) => allocatedBytes)),
  };
}

test('a list costs what its submissions and their metadata cost, however many assets they have', async () => {
  const [readPlain, readNested] = [await openList({}), await openList(nested)];
  const texts = Array.from({ length: listLength }, () => JSON.stringify(nested));
  const { submissions } = await readNested();
  expect(submissions[0].metadata).toEqual(nested);
  expect(submissions[0].assets).toHaveLength(assetsPerSubmission);
  await readPlain();

  const [plain, withMetadata] = [await leastCostOf(readPlain), await leastCostOf(readNested)];
  // The driver parses each metadata, the service serialises it, and the client of this test parses it again.
  const bytes = await leastCostOf(() => texts.map((text) => JSON.parse(JSON.stringify(JSON.parse(text)))));
  const most = (name: keyof Cost) => 2 * plain[name] + 2 * bytes[name];
  const figures = JSON.stringify({ plain, withMetadata, bytes });
  expect(withMetadata.cpuMillis, figures).toBeLessThan(most('cpuMillis'));
  expect(withMetadata.allocatedBytes, figures).toBeLessThan(most('allocatedBytes'));
  console.log(figures);
}, 600_000);
