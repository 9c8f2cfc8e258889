import { secretGraceSeconds } from '@assay/contract/limits.ts';
import { Refusal } from '@assay/contract/refusals.ts';
import type { Call, Reply } from '#call/call.ts';
import type { Handles } from '#platform/handles.ts';
import { requireChangeableSubscription } from './require-subscription.ts';
import { makeSecret, type Seal } from './secret.ts';
import { replaceSecret } from './subscription-store.ts';

export async function rotateSecret(
  { caller, params: { subscriptionId }, body }: Call<'rotateSecret'>,
  { db, clock }: Handles,
  { seal }: { seal: Seal },
): Promise<Reply<'rotateSecret'>> {
  await requireChangeableSubscription(db, caller, subscriptionId); // 404, 403
  const now = clock.now();
  const secret = makeSecret();
  const expiresAt = new Date(now.getTime() + (body?.graceSeconds ?? secretGraceSeconds.default) * 1000);
  const sealed = seal.close(subscriptionId, secret);
  const isKnown = await replaceSecret(db, caller.workspaceId, subscriptionId, sealed, expiresAt, now);
  if (!isKnown) throw new Refusal('subscription_not_found'); // deleted in the meantime
  return { subscriptionId, secret, previousSecretExpiresAt: expiresAt.toISOString() };
}
