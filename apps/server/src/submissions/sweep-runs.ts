import type { Handles } from '../handles/handles.ts';
import { cancelRuns } from './cancel-runs.ts';
import { findCancelledRuns, findDueRuns } from './run-store.ts';
import { startRun } from './start-run.ts';

/** Older than any request that may still be starting its own. */
const dueAfterMillis = 10_000;
const sweptAtOnceMax = 200;
const failuresMax = 3;

/** Hands over what was committed and never handed over: the process died in between, or the engine was away. */
export async function sweepRuns(handles: Handles): Promise<void> {
  const before = new Date(handles.clock.now().getTime() - dueAfterMillis);
  await startDueRuns(handles, before);
  await cancelRuns(handles, await findCancelledRuns(handles.db, before, sweptAtOnceMax));
}

async function startDueRuns(handles: Handles, before: Date): Promise<void> {
  let failureCount = 0;
  for (const run of await findDueRuns(handles.db, before, sweptAtOnceMax)) {
    try {
      await startRun(handles, run);
    } catch (error) {
      handles.log.warn({ err: error, submissionId: run.submissionId }, 'a run was not handed over; it is tried again');
      // One that cannot be started must not hold up those behind it; several in a row mean that the engine is away.
      if (++failureCount === failuresMax) return;
    }
  }
}
