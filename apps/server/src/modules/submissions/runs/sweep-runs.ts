import type { Handles } from '#platform/handles.ts';
import { processRows } from '#platform/mechanisms/process-rows.ts';
import { cancelRun } from './cancel-runs.ts';
import { claimCancelledRuns, claimDueRuns, postponeRun } from './run-store.ts';
import { startRun } from './start-run.ts';

const name = 'sweep-runs';
/** Runs this old are no longer being started by their own request. A second start has no effect, but costs a call. */
const dueAfterMillis = { min: 2000, max: 10_000 };
const batchSize = 200;
const callsAtOnceMax = 20;
/** Longer than a batch takes, so that claims expire only when a worker has died. */
const claimMillis = 15_000;
const postponedMillis = 60_000;

/** The age at which a run is swept: twice the interval of the sweeper, within limits. */
export function dueAfterMillisOf(sweepSeconds: number): number {
  return Math.max(dueAfterMillis.min, Math.min(dueAfterMillis.max, 2000 * sweepSeconds));
}

/** Starts and cancels runs of which the engine was not told, because the process died in between or the engine was down. */
export async function sweepRuns(handles: Handles, afterMillis = dueAfterMillis.max, signal?: AbortSignal) {
  const { db, clock } = handles;
  const inMillis = (millis: number) => new Date(clock.now().getTime() + millis);
  const times = () => ({ now: clock.now(), createdBefore: inMillis(-afterMillis), until: inMillis(claimMillis) });
  const shared = { name, batchSize, atOnceMax: callsAtOnceMax };
  await processRows(
    handles,
    {
      ...shared,
      claim: (limit) => claimDueRuns(db, times(), limit),
      act: (run) => startRun(handles, run),
      describe: ({ submissionId, run }) => ({ submissionId, run }),
      // A run that cannot be started must not block the others.
      postpone: (run) => postponeRun(db, run, inMillis(postponedMillis)),
    },
    signal,
  );
  await processRows(
    handles,
    {
      ...shared,
      claim: (limit) => claimCancelledRuns(db, times(), limit),
      act: (run) => cancelRun(handles, run),
      describe: (run) => run,
    },
    signal,
  );
}
