import { formatCount } from '@assay/report/format/format.ts';
import type { Delivery, Event } from '@assay/sdk';
import type { Command } from 'commander';
import { Failure } from '../failure.ts';
import { formatAttempt, formatDeliveries } from '../output/webhook-table.ts';
import { type Context, openSession, takeItems } from '../session.ts';
import { eventTypes, listOption, wholeNumber } from './option-values.ts';

type ListFlags = { status?: Delivery['status'][]; eventTypes?: Event['type'][]; limit: number };
type ReplayFlags = {
  since?: string;
  until?: string;
  status?: ('succeeded' | 'failed' | 'cancelled')[];
  eventTypes?: Event['type'][];
};

/** Adds the commands below `assay webhooks` for the deliveries of a subscription. */
export function addDeliveries(group: Command, context: Context): void {
  group
    .command('deliveries <subscriptionId> [deliveryId]')
    .description('Lists the deliveries to a subscription, newest first, or shows one delivery with all attempts.')
    .addOption(
      listOption('--status <status>', 'only with this status', ['pending', 'succeeded', 'failed', 'cancelled']),
    )
    .addOption(listOption('--event-types <type>', 'only these event types', eventTypes))
    .option('--limit <n>', 'maximum number of results', wholeNumber(1), 20)
    .addHelpText('after', '\nExample:\n  $ assay webhooks deliveries <subscriptionId> --status failed')
    .action(async (id: string, deliveryId: string | undefined, flags: ListFlags, self: Command) => {
      const session = openSession(self, context);
      const { signal, out } = session;
      const { list, get } = session.assay.webhooks.deliveries;
      if (deliveryId) {
        const delivery = await get(id, deliveryId, { signal });
        return session.print(delivery, () =>
          [formatDeliveries([delivery], out), ...delivery.attempts.map((one) => formatAttempt(one, out))].join('\n'),
        );
      }
      const { status, eventTypes: eventType, limit } = flags;
      const query = { status, eventType, limit: Math.min(limit, 100) };
      const deliveries = await takeItems(list(id, query, { signal }), limit);
      session.print({ deliveries }, () => formatDeliveries(deliveries, out));
    });

  group
    .command('replay <subscriptionId> [deliveryId]')
    .description(
      'Sends one delivery again or, with --since, all failed deliveries from a period. For other statuses, use --status.',
    )
    .option('--since <time>', 'deliveries created at or after this time, such as 2026-11-15T12:00:00Z')
    .option('--until <time>', 'deliveries created before this time')
    .addOption(
      listOption('--status <status>', 'delivery status (default: failed)', ['succeeded', 'failed', 'cancelled']),
    )
    .addOption(listOption('--event-types <type>', 'only these event types', eventTypes))
    .addHelpText(
      'after',
      '\nExamples:\n  $ assay webhooks replay <subscriptionId> <deliveryId>\n  $ assay webhooks replay <subscriptionId> --since 2026-11-15T12:00:00Z',
    )
    .action(async (id: string, deliveryId: string | undefined, flags: ReplayFlags, self: Command) => {
      const { since, until, status: statuses, eventTypes } = flags;
      if ((deliveryId === undefined) === (since === undefined)) {
        throw new Failure('usage', 'Pass either a delivery id or --since.', {
          next: 'See: assay webhooks replay --help',
        });
      }
      const session = openSession(self, context);
      const { signal, out } = session;
      const { replay, replayRange } = session.assay.webhooks.deliveries;
      if (deliveryId) {
        const delivery = await replay(id, deliveryId, { signal });
        return session.print(delivery, () => formatDeliveries([delivery], out));
      }
      const result = await replayRange(id, { since: since ?? '', until, statuses, eventTypes }, { signal });
      const { enqueued } = result;
      session.print(result, () => `${out.paint('✓', 'green')} ${formatCount(enqueued, 'event')} will be sent again.`);
    });
}
