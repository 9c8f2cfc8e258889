import type { Delivery, DeliveryAttempt, Subscription } from '@assay/sdk';
import { type Output, type Style, stripControls } from './output.ts';
import { formatTime } from './submission-table.ts';
import { type Cell, formatFacts, formatTable } from './table.ts';

const deliveryStyles: Record<Delivery['status'], Style[]> = {
  pending: ['cyan'],
  succeeded: ['green'],
  failed: ['red'],
  cancelled: ['dim'],
};

export function formatSubscription(one: Subscription, output: Output): string {
  const state: Cell = one.isActive
    ? { text: 'active', styles: ['green'] }
    : { text: `inactive: ${one.disabledReason}`, styles: ['red'] };
  return formatFacts(
    [
      ['subscription', one.subscriptionId],
      ['url', one.url],
      ['state', state],
      ['events', one.eventTypes.join(', ')],
      ['mode', one.mode],
      ['description', one.description],
      ['rate limit', one.maxRequestsPerSecond === null ? null : `${one.maxRequestsPerSecond} requests per second`],
      ['failures in a row', one.consecutiveFailureCount > 0 ? String(one.consecutiveFailureCount) : null],
      ['last delivery', one.lastDeliveryAt && formatTime(one.lastDeliveryAt)],
      ['created', formatTime(one.createdAt)],
    ],
    output,
  );
}

export function formatSecret(secret: string, output: Output, previousUntil?: string): string {
  return [
    `secret        ${output.paint(secret, 'bold')}`,
    output.paint('              Shown only once. Store it where your receiver can read it.', 'dim'),
    ...(previousUntil ? [`              The previous secret stays valid until ${formatTime(previousUntil)}.`] : []),
  ].join('\n');
}

export function formatDeliveries(deliveries: Delivery[], output: Output): string {
  if (deliveries.length === 0) return 'No deliveries yet. Send a test event: assay webhooks test <subscriptionId>';
  const rows = deliveries.map((one): Cell[] => [
    one.deliveryId,
    { text: one.status, styles: deliveryStyles[one.status] },
    String(one.lastResponseStatus ?? '–'),
    `${one.attemptCount} of ${one.maxAttempts}`,
    formatTime(one.createdAt),
    one.isReplay ? `${one.eventType} (replay)` : one.eventType,
  ]);
  return formatTable(['DELIVERY', 'STATUS', 'RESPONSE', 'ATTEMPTS', 'CREATED', 'EVENT'], rows, output);
}

export function formatAttempt(attempt: DeliveryAttempt, output: Output): string {
  const { url, responseStatus, durationMs, errorMessage, errorCode, responseBody } = attempt;
  const mark = errorCode === null ? output.paint('✓', 'green') : output.paint('✗', 'red');
  const response = responseStatus === null ? 'no response' : `HTTP ${responseStatus}`;
  return [
    `${mark} ${stripControls(url)}: ${response} after ${durationMs} ms.${errorMessage ? ` ${stripControls(errorMessage)}` : ''}`,
    ...(responseBody ? [output.paint(`  ${stripControls(responseBody.slice(0, 200))}`, 'dim')] : []),
  ].join('\n');
}
