import { answersKeptSince } from '../access/answer-once.ts';
import { deleteIdempotencyKeys } from '../access/store.ts';
import type { Handles } from '../handles/handles.ts';
import type { Retention } from './blob-fate.ts';
import { removeSubmission } from './delete-submission.ts';
import { lockSubmission } from './progress-store.ts';
import { dropEmptyMonths, findExpiredSubmissions, makeMonths } from './retention-store.ts';

const monthsAhead = 4;
const expiredAtOnceMax = 100;

/** What has to be done now and then, by whichever worker comes to it: doing it twice changes nothing. */
export async function tidyUp({ db, clock }: Handles, { resultsDays }: Retention): Promise<void> {
  const now = clock.now();
  await makeMonths(db, now, monthsAhead);
  await deleteIdempotencyKeys(db, answersKeptSince(now));

  const keptSince = new Date(now.getTime() - resultsDays * 86_400_000);
  for (;;) {
    const expired = await findExpiredSubmissions(db, keptSince, expiredAtOnceMax);
    for (const { workspaceId, submissionId } of expired) {
      await db.transaction().execute(async (transaction) => {
        await lockSubmission(transaction, workspaceId, submissionId);
        await removeSubmission(transaction, workspaceId, submissionId, now);
      });
    }
    if (expired.length < expiredAtOnceMax) break;
  }
  await dropEmptyMonths(db, keptSince);
}
