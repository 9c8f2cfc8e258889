import { randomUUIDv7 } from 'node:crypto';
import { assetFailures } from '@assay/contract/asset-failures.ts';
import { noVerdict } from '@assay/contract/no-verdict.ts';
import { Refusal } from '@assay/contract/refusals.ts';
import type { EventType } from '@assay/contract/schemas/event.ts';
import type { Call, Reply } from '#call/call.ts';
import type { Handles } from '#platform/handles.ts';
import { attemptDelivery } from '../deliveries/attempt.ts';
import { insertTest } from '../deliveries/delivery-store.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { currentSecrets } from '../subscriptions/current-secrets.ts';
import { requireChangeableSubscription } from '../subscriptions/require-subscription.ts';
import type { Seal } from '../subscriptions/secret.ts';
import { findSecrets } from '../subscriptions/subscription-store.ts';
import {
  completedEvent,
  type EventSubject,
  failedEvent,
  type VerdictChange,
  verdictChangedEvent,
} from './asset-event.ts';
import type { NewEvent } from './event-store.ts';
import { finishedEvent } from './submission-event.ts';

/** Sends a sample event now. The result is only recorded: a failed test does not count against the subscription. */
export async function testSubscription(
  { caller, params: { subscriptionId } }: Call<'testSubscription'>,
  { db, clock }: Handles,
  { outbound, seal }: { outbound: Outbound; seal: Seal },
): Promise<Reply<'testSubscription'>> {
  const { workspaceId } = caller;
  const { url, event_types } = await requireChangeableSubscription(db, caller, subscriptionId); // 404, 403
  const sealed = await findSecrets(db, workspaceId, subscriptionId);
  if (!sealed) throw new Refusal('subscription_not_found'); // deleted in the meantime
  const event = sampleOf(event_types[0] as EventType, workspaceId, clock.now());
  const secrets = currentSecrets(subscriptionId, sealed, seal, clock.now());
  const { retryAfterSeconds, ...attempted } = await attemptDelivery({ ...event, url, secrets }, outbound, clock);
  const done = { attemptNumber: 1, trigger: 'test' as const, ...attempted };
  await insertTest(db, workspaceId, event, subscriptionId, done, clock.now());
  return done;
}

function sampleOf(type: EventType, workspaceId: EventSubject['workspaceId'], now: Date): NewEvent {
  const subject: EventSubject = {
    workspaceId,
    submissionId: randomUUIDv7(),
    assetId: randomUUIDv7(),
    versionGroupId: randomUUIDv7(),
    versionNumber: 1,
    retryCount: 0,
    livemode: false,
    clientReference: undefined,
  };
  const { message, isRetryable } = assetFailures.corrupt_media;
  const failure = { errorMessage: message, errorType: 'corrupt_media' as const, isRetryable, profile: null };
  const sampleChange: VerdictChange = {
    previousVerdict: null,
    judgement: noVerdict,
    issueId: randomUUIDv7(),
    actor: { kind: 'unknown', id: null },
    profile: null,
  };
  const samples: Record<EventType, () => NewEvent> = {
    'asset.processing.completed': () => completedEvent(subject, null, now),
    'asset.processing.failed': () => failedEvent(subject, failure, now),
    'asset.verdict.changed': () => verdictChangedEvent(subject, sampleChange, now),
    'submission.processing.finished': () => finishedEvent(subject, 'complete', noVerdict, null, now),
  };
  return samples[type]();
}
