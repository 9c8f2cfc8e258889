import { setTimeout as sleep } from 'node:timers/promises';
import { answersKeptSince } from '#modules/idempotency/answer-once.ts';
import { deleteIdempotencyKeys } from '#modules/idempotency/store.ts';
import type { Retention } from '#modules/uploads/retention/retention-action.ts';
import type { Handles } from '#platform/handles.ts';
import { jobFailures } from '#platform/mechanisms/metrics.ts';
import { processRows } from '#platform/mechanisms/process-rows.ts';
import { removeSubmission } from '../delete/delete-submission.ts';
import type { RemoveRows } from '../delete/remove-rows.ts';
import { lockSubmission } from '../progress-store.ts';
import { dropEmptyMonths } from './month-store.ts';
import { type ExpiredSubmission, findExpiredSubmissions, isExpired } from './retention-store.ts';

const name = 'delete-expired-submissions';
const expiredAtOnceMax = 100;
const answersAtOnceMax = 1000;

/**
 * Deletes expired data. Several workers may run this at the same time. A step that fails does not stop the others.
 */
export async function deleteExpired(
  handles: Handles,
  { resultsDays }: Retention,
  removeOthers: readonly RemoveRows[],
  signal?: AbortSignal,
): Promise<void> {
  const { db, clock } = handles;
  const keptSince = new Date(clock.now().getTime() - resultsDays * 86_400_000);
  const steps: Record<string, () => Promise<unknown>> = {
    'delete answers': () => deleteOldAnswers(handles, signal),
    'delete submissions': () => removeExpired(handles, keptSince, removeOthers, signal),
    'drop months': () => dropEmptyMonths(db, keptSince),
  };
  for (const [name, step] of Object.entries(steps)) {
    if (signal?.aborted) return;
    await step().catch((error) => reportFailure(handles, error, { step: name }));
  }
}

async function deleteOldAnswers({ db, clock }: Handles, signal: AbortSignal | undefined): Promise<void> {
  const before = answersKeptSince(clock.now());
  while (!signal?.aborted && (await deleteIdempotencyKeys(db, before, answersAtOnceMax)) === answersAtOnceMax);
}

async function removeExpired(
  handles: Handles,
  keptSince: Date,
  removeOthers: readonly RemoveRows[],
  signal: AbortSignal | undefined,
): Promise<void> {
  await processRows<ExpiredSubmission>(
    handles,
    {
      name,
      batchSize: expiredAtOnceMax,
      atOnceMax: 1,
      claim: (limit, last) => findExpiredSubmissions(handles.db, keptSince, last?.submissionId, limit),
      act: async (one) => {
        const beganAt = performance.now();
        await removeOne(handles, one, keptSince, removeOthers);
        // Pauses for as long as the removal took, so that callers keep at least half of the database's time.
        await sleep(performance.now() - beganAt, undefined, { signal }).catch(() => {});
      },
      describe: (one) => one,
    },
    signal,
  );
}

async function removeOne(
  { db, clock }: Handles,
  { workspaceId, submissionId }: ExpiredSubmission,
  keptSince: Date,
  removeOthers: readonly RemoveRows[],
) {
  await db.transaction().execute(async (transaction) => {
    await lockSubmission(transaction, workspaceId, submissionId);
    // The submission is kept if an asset was retried meanwhile.
    if (!(await isExpired(transaction, workspaceId, submissionId, keptSince))) return;
    await removeSubmission(transaction, workspaceId, submissionId, clock.now(), removeOthers);
  });
}

function reportFailure({ log, metrics }: Handles, error: unknown, context: object): void {
  jobFailures(metrics).inc({ job: name });
  log.warn({ err: error, ...context }, 'expired data could not be deleted; the next run retries');
}
