import { hash } from 'node:crypto';
import { idempotencyKeptHours } from '@assay/contract/limits.ts';
import { Refusal } from '@assay/contract/refusals.ts';
import type { Call } from '#call/call.ts';
import type { Handles } from '#platform/handles.ts';
import type { Db } from '#platform/postgres/db.ts';
import { findIdempotencyKey, insertIdempotencyKey, tryLockIdempotencyKey } from './store.ts';

type IdempotentResponse<Body> = { response: Body; isReplayed: boolean };
type IdempotentRequest = Pick<Call<'createSubmission'>, 'caller' | 'idempotencyKey'> & {
  params: object;
  query: object | undefined;
  body: object | undefined;
};

/**
 * Makes a change once per `Idempotency-Key`, and repeats its response for the same request. `prepare` may refuse and
 * changes nothing; the function that it returns makes the change, in the transaction that also stores the response. So
 * neither the change nor the response exists without the other, and only successes are stored.
 */
export async function answerOnce<Body extends object>(
  { db, clock }: Pick<Handles, 'db' | 'clock'>,
  route: string,
  { caller: { workspaceId, mode }, idempotencyKey: key, params, query, body }: IdempotentRequest,
  prepare: () => Promise<(db: Db) => Promise<Body>>,
): Promise<IdempotentResponse<Body>> {
  if (key === undefined) return { response: await (await prepare())(db), isReplayed: false };

  // A key that was used in the sandbox can be used again for a live request.
  const scope = `${mode} ${route}`;
  const now = clock.now();
  const keptSince = answersKeptSince(now);
  const fingerprint = Buffer.from(hash('sha256', canonicalJson({ params, query, body })), 'hex');
  const findReplay = async (at: Db): Promise<IdempotentResponse<Body> | undefined> => {
    const known = await findIdempotencyKey(at, workspaceId, scope, key, keptSince);
    if (!known) return undefined;
    if (!known.fingerprint.equals(fingerprint)) throw new Refusal('idempotency_key_reused');
    return { response: known.answer as Body, isReplayed: true };
  };

  const replay = await findReplay(db);
  if (replay) return replay;
  const change = await prepare();
  return db.transaction().execute(async (transaction) => {
    const isLocked = await tryLockIdempotencyKey(transaction, workspaceId, scope, key);
    if (!isLocked) throw new Refusal('idempotency_in_flight');
    const meanwhile = await findReplay(transaction);
    if (meanwhile) return meanwhile;
    const response = await change(transaction);
    await insertIdempotencyKey(transaction, workspaceId, { route: scope, key, fingerprint, response, createdAt: now });
    return { response, isReplayed: false };
  });
}

/** Responses stored before this time are no longer repeated. */
export function answersKeptSince(now: Date): Date {
  return new Date(now.getTime() - idempotencyKeptHours * 3_600_000);
}

/** The same text for the same request, whatever the order of its members. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member) =>
    member && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
