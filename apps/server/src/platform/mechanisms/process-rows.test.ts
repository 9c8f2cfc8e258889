import { pino } from 'pino';
import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { failuresInRowMax, processRows, type RowJob } from './process-rows.ts';

const handles = { log: pino({ level: 'silent' }), metrics: new Registry() };

/** A job over these numbers, which fails for some of them. */
function jobOver(
  numbers: number[],
  { fails = (_: number) => false, ...rest }: Partial<RowJob<number>> & { fails?(n: number): boolean } = {},
) {
  const due = [...numbers];
  const seen = { acted: [] as number[], postponed: [] as number[], batches: 0 };
  const job: RowJob<number> = {
    name: 'numbers',
    batchSize: 3,
    atOnceMax: 1,
    claim: async (limit) => {
      seen.batches++;
      return due.splice(0, limit);
    },
    act: async (n) => {
      if (fails(n)) throw new Error(`${n} fails`);
      seen.acted.push(n);
    },
    describe: (n) => ({ n }),
    postpone: async (n) => seen.postponed.push(n),
    ...rest,
  };
  return { job, seen };
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
const failures = async () => (await handles.metrics.getSingleMetric('assay_job_failures_total')?.get())?.values ?? [];

describe('a job over rows', () => {
  test('acts on every row, batch after batch, until a batch is not full', async () => {
    const { job, seen } = jobOver(upTo(7));
    await processRows(handles, job);
    expect(seen).toEqual({ acted: upTo(7), postponed: [], batches: 3 });
  });

  test('counts a row that fails, postpones it, and continues with the others', async () => {
    const { job, seen } = jobOver(upTo(7), { fails: (n) => n === 2 });
    await processRows(handles, job);
    expect(seen).toMatchObject({ acted: [1, 3, 4, 5, 6, 7], postponed: [2] });
    expect(await failures()).toMatchObject([{ labels: { job: 'numbers' }, value: 1 }]);
  });

  test('ends after several failures in a row, because a part may be down', async () => {
    const { job, seen } = jobOver(upTo(20), { fails: (n) => n > 2 });
    await processRows(handles, job);
    expect(seen).toMatchObject({ acted: [1, 2], postponed: upTo(2 + failuresInRowMax).slice(2), batches: 3 });
  });

  test('does not end after failures that concern their row alone', async () => {
    const { job, seen } = jobOver(upTo(20), { fails: (n) => n < 20, failsAlone: () => true });
    await processRows(handles, job);
    expect(seen).toMatchObject({ acted: [20], postponed: upTo(19) });
  });

  test('ends after the current row when it is stopped', async () => {
    const stop = new AbortController();
    const { job, seen } = jobOver(upTo(7));
    const act = async (n: number) => {
      await job.act(n);
      if (n === 2) stop.abort();
    };
    await processRows(handles, { ...job, act }, stop.signal);
    expect(seen).toMatchObject({ acted: [1, 2], batches: 1 });
  });

  test('acts on several rows at once, up to its limit', async () => {
    let [running, most] = [0, 0];
    const act = async () => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
    };
    await processRows(handles, { ...jobOver(upTo(20)).job, batchSize: 20, atOnceMax: 4, act });
    expect(most).toBe(4);
  });
});
