import type { Delivery, Event } from '@assay/sdk';
import type { Command } from 'commander';
import { Failure } from '../failure.ts';
import { formatCount } from '../report/format.ts';
import { openSession, type Surroundings, take } from '../session.ts';
import { formatAttempt, formatDeliveries } from '../webhook-table.ts';
import { eventTypes, listOption, wholeNumber } from './option-values.ts';

type ListFlags = { status?: Delivery['status'][]; eventTypes?: Event['type'][]; limit: number };
type ReplayFlags = {
  since?: string;
  until?: string;
  status?: ('succeeded' | 'failed' | 'cancelled')[];
  eventTypes?: Event['type'][];
};

/** What was sent to a subscription: a part of `assay webhooks`. */
export function addDeliveries(group: Command, surroundings: Surroundings): void {
  group
    .command('deliveries <subscriptionId> [deliveryId]')
    .description('Lists what was sent to a subscription, newest first; or one delivery with every attempt.')
    .addOption(listOption('--status <status>', 'only these', ['pending', 'succeeded', 'failed', 'cancelled']))
    .addOption(listOption('--event-types <type>', 'only these', eventTypes))
    .option('--limit <n>', 'at most so many', wholeNumber(1), 20)
    .addHelpText('after', '\nExample:\n  $ assay webhooks deliveries <subscriptionId> --status failed')
    .action(async (id: string, deliveryId: string | undefined, flags: ListFlags, self: Command) => {
      const session = openSession(self, surroundings);
      const { signal, out } = session;
      const { list, get } = session.assay.webhooks.deliveries;
      if (deliveryId) {
        const delivery = await get(id, deliveryId, { signal });
        return session.show(delivery, () =>
          [formatDeliveries([delivery], out), ...delivery.attempts.map((one) => formatAttempt(one, out))].join('\n'),
        );
      }
      const { status, eventTypes: eventType, limit } = flags;
      const query = { status, eventType, limit: Math.min(limit, 100) };
      const deliveries = await take(list(id, query, { signal }), limit);
      session.show({ deliveries }, () => formatDeliveries(deliveries, out));
    });

  group
    .command('replay <subscriptionId> [deliveryId]')
    .description('Sends one delivery again, or with --since those of a time, by default those that failed.')
    .option('--since <time>', 'created from this moment on, such as 2026-11-15T12:00:00Z')
    .option('--until <time>', 'and before this one')
    .addOption(listOption('--status <status>', 'of these', ['succeeded', 'failed', 'cancelled']))
    .addOption(listOption('--event-types <type>', 'only these', eventTypes))
    .addHelpText(
      'after',
      '\nExamples:\n  $ assay webhooks replay <subscriptionId> <deliveryId>\n  $ assay webhooks replay <subscriptionId> --since 2026-11-15T12:00:00Z',
    )
    .action(async (id: string, deliveryId: string | undefined, flags: ReplayFlags, self: Command) => {
      const { since, until, status: statuses, eventTypes } = flags;
      if ((deliveryId === undefined) === (since === undefined)) {
        throw new Failure('usage', 'Name either a delivery or --since.', { next: 'assay webhooks replay --help' });
      }
      const session = openSession(self, surroundings);
      const { signal, out } = session;
      const { replay, replayRange } = session.assay.webhooks.deliveries;
      if (deliveryId) {
        const delivery = await replay(id, deliveryId, { signal });
        return session.show(delivery, () => formatDeliveries([delivery], out));
      }
      const result = await replayRange(id, { since: since ?? '', until, statuses, eventTypes }, { signal });
      const { enqueued } = result;
      session.show(result, () => `${out.paint('✓', 'green')} ${formatCount(enqueued, 'event')} will be sent again.`);
    });
}
