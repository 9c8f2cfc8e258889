import type { Handles } from '../handles/handles.ts';
import { findDueRuns } from './run-store.ts';
import { startRun } from './start-run.ts';

/** Older than any request that may still be starting its own. */
const dueAfterMillis = 10_000;
const sweptAtOnceMax = 200;

/** Starts what was committed and never handed over: the process died in between, or the engine was away. */
export async function sweepRuns(handles: Handles): Promise<number> {
  const before = new Date(handles.clock.now().getTime() - dueAfterMillis);
  const due = await findDueRuns(handles.db, before, sweptAtOnceMax);
  for (const run of due) await startRun(handles, run);
  return due.length;
}
