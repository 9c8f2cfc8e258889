import { sql } from 'kysely';
import type { Db } from './db.ts';
import type { Handles } from './handles.ts';

/** A clock that differs by more is set wrong. */
const skewMillisMax = 60_000;

type Clocked = Pick<Handles, 'db' | 'clock'>;
type Job<Result> = (handles: Handles, signal: AbortSignal) => Promise<Result>;

/** For readiness: fails when the clock of this machine differs from that of the database. */
export async function askClock(handles: Clocked): Promise<void> {
  const { skewMillis } = await compareClocks(handles);
  if (Math.abs(skewMillis) > skewMillisMax) throw new Error(`the clock is off by ${skewMillis / 1000} s`);
}

/**
 * A job that deletes what is old, by the clock of the database, which all workers share. On a machine whose own clock is
 * set wrong it does nothing: one of the two is wrong, and what is deleted does not come back. The time is read once.
 */
export function byDatabaseTime<Result>(
  handles: Handles,
  job: Job<Result>,
): (signal: AbortSignal) => Promise<Result | undefined> {
  return async (signal) => {
    const { now, skewMillis } = await compareClocks(handles);
    handles.metrics.clockSkew.set(skewMillis / 1000);
    if (Math.abs(skewMillis) > skewMillisMax) {
      const skewSeconds = skewMillis / 1000;
      handles.log.error({ skewSeconds }, 'nothing is deleted: the clock of this machine differs from the database’s');
      return undefined;
    }
    return job({ ...handles, clock: { now: () => now } }, signal);
  };
}

async function compareClocks({ db, clock }: Clocked): Promise<{ now: Date; skewMillis: number }> {
  const now = await readDatabaseTime(db);
  return { now, skewMillis: clock.now().getTime() - now.getTime() };
}

export async function readDatabaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return (rows[0] as { now: Date }).now;
}
