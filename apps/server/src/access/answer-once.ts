import { hash } from 'node:crypto';
import { idempotencyKeptHours } from '@assay/contract/limits.ts';
import { Refusal } from '@assay/contract/refusals.ts';
import type { Db } from '../handles/db.ts';
import type { Handles } from '../handles/handles.ts';
import type { Call } from './caller.ts';
import { findIdempotencyKey, insertIdempotencyKey, tryLockIdempotencyKey } from './store.ts';

type Once<Answer> = { answer: Answer; isReplayed: boolean };
type Asked = Pick<Call<'createSubmission'>, 'caller' | 'idempotencyKey'> & {
  params: object;
  query: object | undefined;
  body: object | undefined;
};

/**
 * Does a thing once per `Idempotency-Key`, and answers the same request with the same answer from then on.
 * `prepare` may refuse and changes nothing; what it returns does the change, in the transaction that also
 * remembers the answer. So there is never one without the other, and only successes are remembered.
 */
export async function answerOnce<Answer extends object>(
  { db, clock }: Pick<Handles, 'db' | 'clock'>,
  route: string,
  { caller: { workspaceId, mode }, idempotencyKey: key, params, query, body }: Asked,
  prepare: () => Promise<(db: Db) => Promise<Answer>>,
): Promise<Once<Answer>> {
  if (key === undefined) return { answer: await (await prepare())(db), isReplayed: false };

  // What was rehearsed with a key is still to be done for real with it.
  const scope = `${mode} ${route}`;
  const now = clock.now();
  const keptSince = answersKeptSince(now);
  const fingerprint = Buffer.from(hash('sha256', canonicalJson({ params, query, body })), 'hex');
  const findReplay = async (at: Db): Promise<Once<Answer> | undefined> => {
    const known = await findIdempotencyKey(at, workspaceId, scope, key, keptSince);
    if (!known) return undefined;
    if (!known.fingerprint.equals(fingerprint)) throw new Refusal('idempotency_key_reused');
    return { answer: known.answer as Answer, isReplayed: true };
  };

  const replay = await findReplay(db);
  if (replay) return replay;
  const change = await prepare();
  return db.transaction().execute(async (transaction) => {
    const isLocked = await tryLockIdempotencyKey(transaction, workspaceId, scope, key);
    if (!isLocked) throw new Refusal('idempotency_in_flight');
    const meanwhile = await findReplay(transaction);
    if (meanwhile) return meanwhile;
    const answer = await change(transaction);
    await insertIdempotencyKey(transaction, workspaceId, { route: scope, key, fingerprint, answer, createdAt: now });
    return { answer, isReplayed: false };
  });
}

/** What was answered before this moment is not given again. */
export function answersKeptSince(now: Date): Date {
  return new Date(now.getTime() - idempotencyKeptHours * 3_600_000);
}

/** The same text for the same request, in whatever order its members came. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member) =>
    member && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
