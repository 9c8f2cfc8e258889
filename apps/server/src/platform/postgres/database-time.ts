import { sql } from 'kysely';
import type { Handles } from '../handles.ts';
import type { Db } from './db.ts';
import { clockSkew } from './metrics.ts';

/** A larger difference means that one of the clocks is wrong. */
const skewMillisMax = 60_000;

type ClockHandles = Pick<Handles, 'db' | 'clock'>;
type Job<Result> = (handles: Handles, signal: AbortSignal) => Promise<Result>;

/** Health check: fails when this host's clock differs from the database's. */
export async function checkClock(handles: ClockHandles): Promise<void> {
  const { skewMillis } = await compareClocks(handles);
  if (Math.abs(skewMillis) > skewMillisMax) throw new Error(`the clock is off by ${skewMillis / 1000} s`);
}

/**
 * Wraps a repeated job, so that it uses the database's clock, which all workers share: a worker whose clock is ahead
 * would claim rows for as long.
 */
export function withDatabaseTime<Result>(handles: Handles, job: Job<Result>): (signal: AbortSignal) => Promise<Result> {
  return async (signal) => {
    const { now } = await compareClocks(handles);
    return job({ ...handles, clock: clockFrom(now) }, signal);
  };
}

/** The same for a job that deletes old data. It is skipped if this host's clock differs: one of the two is wrong. */
export function deletingByDatabaseTime<Result>(
  handles: Handles,
  job: Job<Result>,
): (signal: AbortSignal) => Promise<Result | undefined> {
  return async (signal) => {
    const { now, skewMillis } = await compareClocks(handles);
    clockSkew(handles.metrics).set(skewMillis / 1000);
    if (Math.abs(skewMillis) > skewMillisMax) {
      const skewSeconds = skewMillis / 1000;
      handles.log.error({ skewSeconds }, 'clock of this machine differs from the database; deletion is skipped');
      return undefined;
    }
    return job({ ...handles, clock: clockFrom(now) }, signal);
  };
}

/** A clock that shows this time now. */
export function clockFrom(now: Date): Handles['clock'] {
  const startedAt = performance.now();
  return { now: () => new Date(now.getTime() + performance.now() - startedAt) };
}

async function compareClocks({ db, clock }: ClockHandles): Promise<{ now: Date; skewMillis: number }> {
  const now = await readDatabaseTime(db);
  return { now, skewMillis: clock.now().getTime() - now.getTime() };
}

export async function readDatabaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return (rows[0] as { now: Date }).now;
}
