import type { Handles } from '#platform/handles.ts';
import { cancelRuns } from './cancel-runs.ts';
import { findCancelledRuns, findDueRuns, postponeRun } from './run-store.ts';
import { startRun } from './start-run.ts';

/** Runs this old are no longer being started by their own request. A second start has no effect, but costs a call. */
const dueAfterMillis = { min: 2000, max: 10_000 };
const sweptAtOnceMax = 200;
const failuresInRowMax = 3;
const postponedMillis = 60_000;

/** The age at which a run is swept: twice the interval of the sweeper, within limits. */
export function dueAfterMillisOf(sweepSeconds: number): number {
  return Math.max(dueAfterMillis.min, Math.min(dueAfterMillis.max, 2000 * sweepSeconds));
}

/** Starts runs that were committed but not started, because the process died in between or the engine was down. */
export async function sweepRuns(handles: Handles, afterMillis = dueAfterMillis.max): Promise<void> {
  const before = new Date(handles.clock.now().getTime() - afterMillis);
  await startDueRuns(handles, before);
  await cancelRuns(handles, await findCancelledRuns(handles.db, before, sweptAtOnceMax));
}

async function startDueRuns(handles: Handles, before: Date): Promise<void> {
  const { db, clock, log } = handles;
  let failuresInRow = 0;
  for (const run of await findDueRuns(db, before, clock.now(), sweptAtOnceMax)) {
    try {
      await startRun(handles, run);
      failuresInRow = 0;
    } catch (error) {
      log.warn(
        { err: error, submissionId: run.submissionId },
        'a run was not started; the sweeper tries again in 60 s',
      );
      // A run that cannot be started must not block the others.
      await postponeRun(db, run, new Date(clock.now().getTime() + postponedMillis));
      // Consecutive failures suggest that the engine is down: the next sweep tries again.
      if (++failuresInRow === failuresInRowMax) return;
    }
  }
}
