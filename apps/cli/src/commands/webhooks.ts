import type { Event, SubscriptionChange } from '@assay/sdk';
import { type Command, Option } from 'commander';
import { requireYes } from '../ask.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { openSession, type Surroundings, take } from '../session.ts';
import { formatTable } from '../table.ts';
import { formatAttempt, formatSecret, formatSubscription } from '../webhook-table.ts';
import { addDeliveries } from './deliveries.ts';
import { choiceOption, eventTypes as everyType, listOption, wholeNumber } from './option-values.ts';

type Mode = 'all' | 'live' | 'sandbox';
type CreateFlags = {
  eventTypes?: Event['type'][];
  description?: string;
  mode?: Mode;
  maxRequestsPerSecond?: number;
};
type UpdateFlags = CreateFlags & { url?: string; activate?: boolean; deactivate?: boolean };

export function addWebhooks(program: Command, surroundings: Surroundings): void {
  const group = program
    .command('webhooks')
    .summary('subscribe URLs to events, and look at what was sent')
    .description('Webhook subscriptions: URLs that are told when an asset is complete or failed.')
    .addHelpText('after', '\nExample:\n  $ assay webhooks create https://example.org/hooks');

  addDescribing(group.command('create <url>'))
    .description('Subscribes a URL. Prints its secret, this once.')
    .addHelpText(
      'after',
      '\nExample:\n  $ assay webhooks create https://example.org/hooks --event-types asset.processing.failed',
    )
    .action(async (url: string, { eventTypes = everyType.slice(), ...rest }: CreateFlags, self: Command) => {
      const session = openSession(self, surroundings);
      const created = await session.assay.webhooks.create({ url, eventTypes, ...rest }, { signal: session.signal });
      session.show(
        created,
        () => `${formatSubscription(created, session.out)}\n${formatSecret(created.secret, session.out)}`,
      );
    });

  group
    .command('list')
    .description('Lists the subscriptions.')
    .addHelpText('after', '\nExample:\n  $ assay webhooks list --json')
    .action(async (_: unknown, self: Command) => {
      const session = openSession(self, surroundings);
      const subscriptions = await take(session.assay.webhooks.list({}, { signal: session.signal }));
      session.show({ subscriptions }, () =>
        subscriptions.length === 0
          ? 'There are none. Make one: assay webhooks create <url>'
          : formatTable(
              ['SUBSCRIPTION', 'STATE', 'MODE', 'URL'],
              subscriptions.map((one) => [
                one.subscriptionId,
                one.isActive
                  ? { text: 'active', styles: ['green'] }
                  : { text: `off: ${one.disabledReason}`, styles: ['red'] },
                one.mode,
                one.url,
              ]),
              session.out,
            ),
      );
    });

  group
    .command('get <subscriptionId>')
    .description('Shows one subscription.')
    .addHelpText('after', '\nExample:\n  $ assay webhooks get <subscriptionId>')
    .action(async (id: string, _: unknown, self: Command) => {
      const session = openSession(self, surroundings);
      const subscription = await session.assay.webhooks.get(id, { signal: session.signal });
      session.show(subscription, () => formatSubscription(subscription, session.out));
    });

  addDescribing(group.command('update <subscriptionId>'))
    .description('Changes a subscription; what is not named stays.')
    .option('--url <url>', 'another address')
    .addOption(new Option('--activate', 'take it into use again').conflicts('deactivate'))
    .option('--deactivate', 'stop it')
    .addHelpText('after', '\nExample:\n  $ assay webhooks update <subscriptionId> --activate')
    .action(async (id: string, { activate, deactivate, ...rest }: UpdateFlags, self: Command) => {
      const session = openSession(self, surroundings);
      const isActive = activate ? true : deactivate ? false : undefined;
      const change: SubscriptionChange = { ...rest, ...(isActive !== undefined && { isActive }) };
      const subscription = await session.assay.webhooks.update(id, change, { signal: session.signal });
      session.show(subscription, () => formatSubscription(subscription, session.out));
    });

  group
    .command('delete <subscriptionId>')
    .description('Deletes a subscription, with what is known of its deliveries.')
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  $ assay webhooks delete <subscriptionId> --yes')
    .action(async (id: string, { yes }: { yes?: boolean }, self: Command) => {
      const session = openSession(self, surroundings);
      const { url } = await session.assay.webhooks.get(id, { signal: session.signal });
      await requireYes(`Delete the subscription of ${url}?`, yes, session.signal);
      await session.assay.webhooks.delete(id, { signal: session.signal });
      session.show({ subscriptionId: id, isDeleted: true }, () => `${session.out.paint('✓', 'green')} Deleted ${id}.`);
    });

  group
    .command('rotate-secret <subscriptionId>')
    .description('Gives it a new secret; the old one signs along for a while. Prints the new one, this once.')
    .option('--grace-seconds <n>', 'so long the old one signs too; left out: a day', wholeNumber(0))
    .addHelpText('after', '\nExample:\n  $ assay webhooks rotate-secret <subscriptionId> --grace-seconds 3600')
    .action(async (id: string, { graceSeconds }: { graceSeconds?: number }, self: Command) => {
      const session = openSession(self, surroundings);
      const rotated = await session.assay.webhooks.rotateSecret(id, { graceSeconds }, { signal: session.signal });
      session.show(rotated, () => formatSecret(rotated.secret, session.out, rotated.previousSecretExpiresAt));
    });

  group
    .command('test <subscriptionId>')
    .description('Sends a sample now and says how it went. Exit code 5 if the receiver did not take it.')
    .addHelpText('after', '\nExample:\n  $ assay webhooks test <subscriptionId>')
    .action(async (id: string, _: unknown, self: Command) => {
      const session = openSession(self, surroundings);
      const attempt = await session.assay.webhooks.test(id, { signal: session.signal });
      session.show(attempt, () => formatAttempt(attempt, session.out));
      if (attempt.errorCode !== null) process.exitCode = exitCodeOf('refused');
    });
  addDeliveries(group, surroundings);
}

function addDescribing(command: Command): Command {
  return command
    .addOption(listOption('--event-types <type>', 'only these', everyType))
    .option('--description <text>', 'a note for yourself')
    .addOption(choiceOption('--mode <mode>', 'events of which keys', ['all', 'live', 'sandbox']))
    .option('--max-requests-per-second <n>', 'no faster than this', wholeNumber(1));
}
