import type { Db } from '@assay/server/platform/postgres/db.ts';
import type pg from 'pg';
import { operations } from './operations/all.ts';
import { type Cost, countIndexes, openMeasuredDb } from './plans.ts';
import { readSample } from './sample.ts';

/** The first run plans the statements and reads what is not in memory; the cheapest of the others counts. */
const runs = 4;

class RolledBack extends Error {}

/** The cost of each operation, or why it failed: the service's connections have a time limit. */
export type Costs = Map<string, Cost | Error>;

export async function measureOperations(url: string, superuser: pg.Client): Promise<Costs> {
  const sample = await readSample(superuser);
  const { db, costOf, close } = openMeasuredDb(url, await countIndexes(superuser));
  const costs: Costs = new Map();
  for (const [name, operation] of Object.entries(operations)) {
    const { run, ownTransaction } =
      typeof operation === 'function' ? { run: operation, ownTransaction: false } : operation;
    const work = ownTransaction ? () => run(db, sample) : () => rolledBack(db, (at) => run(at, sample));
    costs.set(name, await measure(() => costOf(work)).catch((error: Error) => error));
  }
  await close();
  return costs;
}

async function measure(run: () => Promise<Cost>): Promise<Cost> {
  const measured: Cost[] = [];
  for (let i = 0; i < runs; i++) measured.push(await run());
  const [cheapest] = measured.slice(1).sort((a, b) => a.buffers - b.buffers) as [Cost];
  if (cheapest.statements === 0) throw new Error('sent no statement');
  return { ...cheapest, millis: Math.max(...measured.map(({ millis }) => millis)) };
}

async function rolledBack(db: Db, work: (transaction: Db) => Promise<unknown>): Promise<void> {
  const done = db.transaction().execute(async (transaction) => {
    await work(transaction);
    throw new RolledBack();
  });
  await done.catch((error) => {
    if (!(error instanceof RolledBack)) throw error;
  });
}
