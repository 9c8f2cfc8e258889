import type { Delivery, DeliveryAttempt, Subscription } from '@assay/sdk';
import { type Output, plain, type Style } from './output.ts';
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
    : { text: `off: ${one.disabledReason}`, styles: ['red'] };
  return formatFacts(
    [
      ['subscription', one.subscriptionId],
      ['url', one.url],
      ['state', state],
      ['events', one.eventTypes.join(', ')],
      ['mode', one.mode],
      ['description', one.description],
      ['at most', one.maxRequestsPerSecond === null ? null : `${one.maxRequestsPerSecond} requests a second`],
      ['failed in a row', one.consecutiveFailureCount > 0 ? String(one.consecutiveFailureCount) : null],
      ['last delivery', one.lastDeliveryAt && formatTime(one.lastDeliveryAt)],
      ['created', formatTime(one.createdAt)],
    ],
    output,
  );
}

export function formatSecret(secret: string, output: Output, previousUntil?: string): string {
  return [
    `secret        ${output.paint(secret, 'bold')}`,
    output.paint('              Shown this once: keep it where your receiver finds it.', 'dim'),
    ...(previousUntil ? [`              The one before signs along until ${formatTime(previousUntil)}.`] : []),
  ].join('\n');
}

export function formatDeliveries(deliveries: Delivery[], output: Output): string {
  if (deliveries.length === 0) return 'Nothing was sent yet. Try: assay webhooks test <subscriptionId>';
  const rows = deliveries.map((one): Cell[] => [
    one.deliveryId,
    { text: one.status, styles: deliveryStyles[one.status] },
    String(one.lastResponseStatus ?? '–'),
    `${one.attemptCount} of ${one.maxAttempts}`,
    formatTime(one.createdAt),
    one.isReplay ? `${one.eventType} (again)` : one.eventType,
  ]);
  return formatTable(['DELIVERY', 'STATUS', 'ANSWER', 'TRIES', 'CREATED', 'EVENT'], rows, output);
}

export function formatAttempt(attempt: DeliveryAttempt, output: Output): string {
  const { url, responseStatus, durationMs, errorMessage, errorCode, responseBody } = attempt;
  const mark = errorCode === null ? output.paint('✓', 'green') : output.paint('✗', 'red');
  const answer = responseStatus === null ? 'no answer' : `answered ${responseStatus}`;
  return [
    `${mark} ${plain(url)} ${answer} within ${durationMs} ms.${errorMessage ? ` ${plain(errorMessage)}` : ''}`,
    ...(responseBody ? [output.paint(`  ${plain(responseBody.slice(0, 200))}`, 'dim')] : []),
  ].join('\n');
}
