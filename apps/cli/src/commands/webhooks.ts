import type { Event, SubscriptionChange } from '@assay/sdk';
import { type Command, Option } from 'commander';
import { exitCodeOf } from '../exit-codes.ts';
import { formatTable } from '../output/table.ts';
import { formatAttempt, formatSecret, formatSubscription } from '../output/webhook-table.ts';
import { requireConfirmation } from '../prompt.ts';
import { type Context, openSession, takeItems } from '../session.ts';
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

/** The commands in the order in which the help lists them. */
const everyCommand = [
  addCreate,
  addList,
  addGet,
  addUpdate,
  addDelete,
  addRotateSecret,
  addTest,
  addEventTypes,
  addDeliveries,
];

export function addWebhooks(program: Command, context: Context): void {
  const group = program
    .command('webhooks')
    .summary('manage webhook subscriptions and deliveries')
    .description('Manages webhook subscriptions: URLs that receive an event when an asset completes or fails.')
    .addHelpText('after', '\nExample:\n  $ assay webhooks create https://example.org/hooks');
  for (const add of everyCommand) add(group, context);
}

function addCreate(group: Command, context: Context): void {
  addSubscriptionOptions(group.command('create <url>'))
    .description('Subscribes a URL. The signing secret is shown only once.')
    .addHelpText(
      'after',
      '\nExample:\n  $ assay webhooks create https://example.org/hooks --event-types asset.processing.failed',
    )
    .action(async (url: string, { eventTypes = everyType.slice(), ...rest }: CreateFlags, self: Command) => {
      const session = openSession(self, context);
      const created = await session.assay.webhooks.create({ url, eventTypes, ...rest }, { signal: session.signal });
      session.print(
        created,
        () => `${formatSubscription(created, session.out)}\n${formatSecret(created.secret, session.out)}`,
      );
    });
}

function addList(group: Command, context: Context): void {
  group
    .command('list')
    .description('Lists the subscriptions.')
    .addHelpText('after', '\nExample:\n  $ assay webhooks list --json')
    .action(async (_: unknown, self: Command) => {
      const session = openSession(self, context);
      const subscriptions = await takeItems(session.assay.webhooks.list({}, { signal: session.signal }));
      session.print({ subscriptions }, () =>
        subscriptions.length === 0
          ? 'No subscriptions. Create one: assay webhooks create <url>'
          : formatTable(
              ['SUBSCRIPTION', 'STATE', 'MODE', 'URL'],
              subscriptions.map((one) => [
                one.subscriptionId,
                one.isActive
                  ? { text: 'active', styles: ['green'] }
                  : { text: `inactive: ${one.disabledReason}`, styles: ['red'] },
                one.mode,
                one.url,
              ]),
              session.out,
            ),
      );
    });
}

function addGet(group: Command, context: Context): void {
  group
    .command('get <subscriptionId>')
    .description('Shows one subscription.')
    .addHelpText('after', '\nExample:\n  $ assay webhooks get <subscriptionId>')
    .action(async (id: string, _: unknown, self: Command) => {
      const session = openSession(self, context);
      const subscription = await session.assay.webhooks.get(id, { signal: session.signal });
      session.print(subscription, () => formatSubscription(subscription, session.out));
    });
}

function addUpdate(group: Command, context: Context): void {
  addSubscriptionOptions(group.command('update <subscriptionId>'))
    .description('Changes a subscription. Options that are left out stay unchanged.')
    .option('--url <url>', 'new URL')
    .addOption(new Option('--activate', 'activate the subscription').conflicts('deactivate'))
    .option('--deactivate', 'deactivate the subscription')
    .addHelpText('after', '\nExample:\n  $ assay webhooks update <subscriptionId> --activate')
    .action(async (id: string, { activate, deactivate, ...rest }: UpdateFlags, self: Command) => {
      const session = openSession(self, context);
      const isActive = activate ? true : deactivate ? false : undefined;
      const change: SubscriptionChange = { ...rest, ...(isActive !== undefined && { isActive }) };
      const subscription = await session.assay.webhooks.update(id, change, { signal: session.signal });
      session.print(subscription, () => formatSubscription(subscription, session.out));
    });
}

function addDelete(group: Command, context: Context): void {
  group
    .command('delete <subscriptionId>')
    .description('Deletes a subscription and its delivery history.')
    .option('-y, --yes', 'skip the confirmation')
    .addHelpText('after', '\nExample:\n  $ assay webhooks delete <subscriptionId> --yes')
    .action(async (id: string, { yes }: { yes?: boolean }, self: Command) => {
      const session = openSession(self, context);
      const { url } = await session.assay.webhooks.get(id, { signal: session.signal });
      await requireConfirmation(`Delete the subscription for ${url}?`, yes, session.signal);
      await session.assay.webhooks.delete(id, { signal: session.signal });
      session.print({ subscriptionId: id, isDeleted: true }, () => `${session.out.paint('✓', 'green')} Deleted ${id}.`);
    });
}

function addRotateSecret(group: Command, context: Context): void {
  group
    .command('rotate-secret <subscriptionId>')
    .description('Creates a new signing secret, shown only once. The old secret stays valid for a grace period.')
    .option('--grace-seconds <n>', 'grace period for the old secret (default: one day)', wholeNumber(0))
    .addHelpText('after', '\nExample:\n  $ assay webhooks rotate-secret <subscriptionId> --grace-seconds 3600')
    .action(async (id: string, { graceSeconds }: { graceSeconds?: number }, self: Command) => {
      const session = openSession(self, context);
      const rotated = await session.assay.webhooks.rotateSecret(id, { graceSeconds }, { signal: session.signal });
      session.print(rotated, () => formatSecret(rotated.secret, session.out, rotated.previousSecretExpiresAt));
    });
}

function addTest(group: Command, context: Context): void {
  group
    .command('test <subscriptionId>')
    .description('Sends a sample event now and shows the response. Exits with code 5 if the delivery failed.')
    .addHelpText('after', '\nExample:\n  $ assay webhooks test <subscriptionId>')
    .action(async (id: string, _: unknown, self: Command) => {
      const session = openSession(self, context);
      const attempt = await session.assay.webhooks.test(id, { signal: session.signal });
      session.print(attempt, () => formatAttempt(attempt, session.out));
      if (attempt.errorCode !== null) process.exitCode = exitCodeOf('refused');
    });
}

function addEventTypes(group: Command, context: Context): void {
  group
    .command('event-types')
    .description('Lists the event types that a subscription can include.')
    .addHelpText('after', '\nExample:\n  $ assay webhooks event-types')
    .action(async (_: unknown, self: Command) => {
      const session = openSession(self, context);
      const { eventTypes } = await session.assay.webhooks.eventTypes({ signal: session.signal });
      const rows = eventTypes.map(({ eventType, description }) => [eventType, description]);
      session.print({ eventTypes }, () => formatTable(['EVENT TYPE', 'DESCRIPTION'], rows, session.out));
    });
}

function addSubscriptionOptions(command: Command): Command {
  return command
    .addOption(listOption('--event-types <type>', 'only these event types', everyType))
    .option('--description <text>', 'description of the subscription')
    .addOption(choiceOption('--mode <mode>', 'mode of the events to receive', ['all', 'live', 'sandbox']))
    .option('--max-requests-per-second <n>', 'maximum delivery rate', wholeNumber(1));
}
