import { randomUUIDv7 } from 'node:crypto';
import { subscriptionsPerWorkspaceMax } from '@assay/contract/limits.ts';
import { Refusal } from '@assay/contract/refusals.ts';
import type { Call, Reply } from '#call/call.ts';
import type { WorkspaceId } from '#call/caller.ts';
import { answerOnce } from '#modules/idempotency/answer-once.ts';
import type { Handles } from '#platform/handles.ts';
import { type Db, inTransaction } from '#platform/postgres/db.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { requireAllowedUrl } from '../outbound/require-allowed-url.ts';
import { presentSubscription } from './present-subscription.ts';
import { makeSecret, type Seal } from './secret.ts';
import { countSubscriptions, insertSubscription } from './subscription-store.ts';

export async function createSubscription(
  call: Call<'createSubscription'>,
  handles: Handles,
  { outbound, seal }: { outbound: Outbound; seal: Seal },
): Promise<Reply<'createSubscription'>> {
  const { caller, body } = call;
  const { response, isReplayed } = await answerOnce(handles, 'createSubscription', call, async () => {
    await refuseTooManySubscriptions(handles.db, caller.workspaceId); // 409
    await requireAllowedUrl(body.url, outbound); // 422
    const subscriptionId = randomUUIDv7();
    const secret = seal.close(subscriptionId, makeSecret());
    const row = {
      subscription_id: subscriptionId,
      url: body.url,
      description: body.description ?? null,
      event_types: body.eventTypes,
      mode: body.mode ?? ('all' as const),
      created_with: caller.mode,
      max_requests_per_second: body.maxRequestsPerSecond ?? null,
      secret,
    };
    return (db) =>
      inTransaction(db, async (transaction) => {
        const inserted = await insertSubscription(transaction, caller.workspaceId, row, handles.clock.now());
        if (!inserted) throw new Refusal('subscription_limit_reached'); // others were created meanwhile
        // This response is stored for repeated requests, so its secret stays sealed.
        return { ...presentSubscription(inserted), secret: secret.toString('base64') };
      });
  });
  const secret = seal.open(response.subscriptionId, Buffer.from(response.secret, 'base64'));
  // Responses that the previous release stored lack `createdWith`.
  return { response: { ...response, createdWith: response.createdWith ?? caller.mode, secret }, isReplayed };
}

async function refuseTooManySubscriptions(db: Db, workspaceId: WorkspaceId): Promise<void> {
  const count = await countSubscriptions(db, workspaceId);
  if (count >= subscriptionsPerWorkspaceMax) throw new Refusal('subscription_limit_reached');
}
