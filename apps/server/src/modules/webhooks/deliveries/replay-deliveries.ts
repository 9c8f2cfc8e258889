import type { Call, Reply } from '#call/call.ts';
import { answerOnce } from '#modules/idempotency/answer-once.ts';
import type { Handles } from '#platform/handles.ts';
import { refuseInactive, requireChangeableSubscription } from '../subscriptions/require-subscription.ts';
import { insertReplays } from './delivery-store.ts';

/** Delivers again what a receiver missed while it was down. The sweeper starts the deliveries in batches. */
export async function replayDeliveries(
  call: Call<'replayDeliveries'>,
  handles: Handles,
): Promise<Reply<'replayDeliveries'>> {
  const { caller, params, body } = call;
  return answerOnce(handles, 'replayDeliveries', call, async () => {
    refuseInactive(await requireChangeableSubscription(handles.db, caller, params.subscriptionId)); // 404, 403, 409
    return async (db) => {
      const now = handles.clock.now();
      const range = {
        since: new Date(body.since),
        until: body.until ? new Date(body.until) : now,
        statuses: body.statuses ?? (['failed'] as const satisfies string[]),
        eventTypes: body.eventTypes,
      };
      return { enqueued: await insertReplays(db, caller.workspaceId, params.subscriptionId, range, now) };
    };
  });
}
