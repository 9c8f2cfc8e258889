import { answersKeptSince } from '../access/answer-once.ts';
import { deleteIdempotencyKeys } from '../access/store.ts';
import type { Handles } from '../handles/handles.ts';
import { makeMonths } from './run-store.ts';

const monthsAhead = 4;

/** What has to be done now and then, by whichever worker comes to it: doing it twice changes nothing. */
export async function tidyUp({ db, clock }: Handles): Promise<void> {
  const now = clock.now();
  await makeMonths(db, now, monthsAhead);
  await deleteIdempotencyKeys(db, answersKeptSince(now));
}
