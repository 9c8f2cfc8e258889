import { createHash } from 'node:crypto';
import { type Event, type FiredEventType, firedEventTypes } from '@assay/contract/schemas/event.ts';
import type { Attempt } from '@assay/contract/schemas/webhook.ts';
import type pg from 'pg';
import type { AssetName, FinalWebhooks } from './check/history.ts';
import { receiverPaths } from './load/receiver.ts';
import type { World } from './world.ts';

/** Events about the end of an attempt: of the others there is not exactly one for each attempt. */
type ProcessingEvent = Extract<Event, { type: FiredEventType }>;

/** Reads events and deliveries in the caller's transaction. */
export async function readWebhooks(
  db: pg.Client,
  { config }: World,
  assetNameOf: (assetId: string) => AssetName,
  zeroMillis: number,
): Promise<FinalWebhooks> {
  const { rows: subscriptions } = await db.query('select subscription_id, url from subscriptions');
  const { rows: events } = await db.query(
    `
    select event_id, submission_id, asset_id, body from events
    where type = any($1) order by 1`,
    [firedEventTypes],
  );
  const { rows: deliveries } = await db.query(`
    select event_id, submission_id, subscription_id, status, max_attempts, attempts, created_at, completed_at
    from deliveries order by event_id, subscription_id`);
  const pathOf = new Map(subscriptions.map(({ subscription_id, url }) => [subscription_id, new URL(url).pathname]));
  return {
    paths: [...receiverPaths],
    scheduleMillisMax: scheduleMillisMax(config.WEBHOOK_WAITS_SECONDS),
    events: events.map((row) => {
      const { data, livemode, timestamp } = JSON.parse(row.body) as ProcessingEvent;
      return {
        eventId: row.event_id,
        submissionId: row.submission_id,
        asset: assetNameOf(row.asset_id),
        attempt: data.retry_count + 1,
        status: data.status,
        livemode,
        bodySha256: createHash('sha256').update(row.body).digest('hex'),
        atMillis: Date.parse(timestamp) - zeroMillis,
      };
    }),
    deliveries: deliveries.map((row) => ({
      eventId: row.event_id,
      submissionId: row.submission_id,
      path: pathOf.get(row.subscription_id) ?? row.subscription_id,
      status: row.status,
      attemptsMax: row.max_attempts,
      attempts: row.attempts.map((one: Attempt) => String(one.responseStatus ?? one.errorCode)),
      createdAtMillis: row.created_at.getTime() - zeroMillis,
      endedAtMillis: row.completed_at && row.completed_at.getTime() - zeroMillis,
    })),
  };
}

// A wait can be a fifth longer than configured, and the engine's timers have a resolution of a second.
function scheduleMillisMax(waitsSeconds: readonly number[]): number {
  return waitsSeconds.reduce((sum, seconds) => sum + (seconds * 1.2 + 1) * 1000, 0);
}
