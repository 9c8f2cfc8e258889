import type { webhookRoutes } from '@assay/contract/routes/webhooks.ts';
import { curlCommand, type SamplesOf, tsProgram } from './sample.ts';

export const webhookSamples: SamplesOf<typeof webhookRoutes> = {
  createSubscription: {
    curl: curlCommand(String.raw`"$API/webhooks/subscriptions" -H 'Content-Type: application/json' \
  -d '{"url": "http://127.0.0.1:3000/hooks/assay",
       "eventTypes": ["asset.processing.completed"]}'`),
    ts: tsProgram(`
const { subscriptionId, secret } = await assay.webhooks.create({
  url: 'http://127.0.0.1:3000/hooks/assay',
  eventTypes: ['asset.processing.completed'],
});
console.log(subscriptionId, secret); // the secret is shown only once`),
    cli: String.raw`
assay webhooks create http://127.0.0.1:3000/hooks/assay \
  --event-types asset.processing.completed`,
  },
  listSubscriptions: {
    curl: curlCommand('"$API/webhooks/subscriptions"'),
    ts: tsProgram(`
for await (const subscription of assay.webhooks.list())
  console.log(subscription.subscriptionId, subscription.url);`),
    cli: 'assay webhooks list',
  },
  getSubscription: {
    curl: curlCommand('"$API/webhooks/subscriptions/$SUBSCRIPTION_ID"'),
    ts: tsProgram(`
const subscription = await assay.webhooks.get(SUBSCRIPTION_ID);
console.log(subscription.url, subscription.isActive);
console.log(subscription.lastSuccessAt, subscription.disabledReason);`),
    cli: 'assay webhooks get "$SUBSCRIPTION_ID"',
  },
  updateSubscription: {
    curl: curlCommand(String.raw`-X PATCH "$API/webhooks/subscriptions/$SUBSCRIPTION_ID" \
  -H 'Content-Type: application/json' -d '{"isActive": true}'`),
    ts: tsProgram(`
const { url, isActive } = await assay.webhooks.update(SUBSCRIPTION_ID, {
  isActive: true,
});
console.log(url, isActive);`),
    cli: 'assay webhooks update "$SUBSCRIPTION_ID" --activate',
  },
  deleteSubscription: {
    curl: curlCommand('-X DELETE "$API/webhooks/subscriptions/$SUBSCRIPTION_ID"'),
    ts: tsProgram(`
await assay.webhooks.delete(SUBSCRIPTION_ID);
console.log('deleted', SUBSCRIPTION_ID);`),
    cli: 'assay webhooks delete "$SUBSCRIPTION_ID" --yes',
  },
  rotateSecret: {
    curl: curlCommand(String.raw`"$API/webhooks/subscriptions/$SUBSCRIPTION_ID/rotate-secret" \
  -H 'Content-Type: application/json' -d '{"graceSeconds": 3600}'`),
    ts: tsProgram(`
const rotated = await assay.webhooks.rotateSecret(SUBSCRIPTION_ID, {
  graceSeconds: 3600,
});
console.log(rotated.secret); // shown only once
console.log('old secret valid until', rotated.previousSecretExpiresAt);`),
    cli: 'assay webhooks rotate-secret "$SUBSCRIPTION_ID" --grace-seconds 3600',
  },
  testSubscription: {
    curl: curlCommand('-X POST "$API/webhooks/subscriptions/$SUBSCRIPTION_ID/test"'),
    ts: tsProgram(`
const attempt = await assay.webhooks.test(SUBSCRIPTION_ID);
console.log(attempt.responseStatus, attempt.errorMessage);`),
    cli: 'assay webhooks test "$SUBSCRIPTION_ID"',
  },
  listDeliveries: {
    curl: curlCommand(String.raw`-G "$API/webhooks/subscriptions/$SUBSCRIPTION_ID/deliveries" \
  -d limit=10`),
    ts: tsProgram(`
const { deliveries } = await assay.webhooks.deliveries.list(
  SUBSCRIPTION_ID,
  { limit: 10 },
);
for (const { deliveryId, eventType, status } of deliveries)
  console.log(deliveryId, eventType, status);`),
    cli: 'assay webhooks deliveries "$SUBSCRIPTION_ID" --limit 10',
  },
  getDelivery: {
    curl: curlCommand('"$API/webhooks/subscriptions/$SUBSCRIPTION_ID/deliveries/$DELIVERY_ID"'),
    ts: tsProgram(`
const { status, attempts } = await assay.webhooks.deliveries.get(
  SUBSCRIPTION_ID,
  DELIVERY_ID,
);
console.log(status);
for (const { startedAt, responseStatus, errorMessage } of attempts)
  console.log(startedAt, responseStatus, errorMessage);`),
    cli: 'assay webhooks deliveries "$SUBSCRIPTION_ID" "$DELIVERY_ID"',
  },
  replayDelivery: {
    curl: String.raw`
SUBSCRIPTION=$API/webhooks/subscriptions/$SUBSCRIPTION_ID
curl -sS --fail-with-body -H "X-API-Key: $ASSAY_API_KEY" \
  -X POST "$SUBSCRIPTION/deliveries/$DELIVERY_ID/replay"`,
    ts: tsProgram(`
const { deliveryId, status } = await assay.webhooks.deliveries.replay(
  SUBSCRIPTION_ID,
  DELIVERY_ID,
);
console.log(deliveryId, status);`),
    cli: 'assay webhooks replay "$SUBSCRIPTION_ID" "$DELIVERY_ID"',
  },
  replayDeliveries: {
    curl: curlCommand(String.raw`"$API/webhooks/subscriptions/$SUBSCRIPTION_ID/replay" \
  -H 'Content-Type: application/json' \
  -d '{"since": "2026-01-05T09:30:00Z",
       "statuses": ["failed", "succeeded"]}'`),
    ts: tsProgram(`
const { enqueued } = await assay.webhooks.deliveries.replayRange(
  SUBSCRIPTION_ID,
  { since: '2026-01-05T09:30:00Z', statuses: ['failed', 'succeeded'] },
);
console.log('enqueued', enqueued);`),
    cli: String.raw`
assay webhooks replay "$SUBSCRIPTION_ID" --since 2026-01-05T09:30:00Z \
  --status failed,succeeded`,
  },
  listEventTypes: {
    curl: curlCommand('"$API/webhooks/event-types"'),
    ts: tsProgram(`
const { eventTypes } = await assay.webhooks.eventTypes();
for (const { eventType, description } of eventTypes)
  console.log(eventType, description);`),
    cli: 'assay webhooks event-types',
  },
};
