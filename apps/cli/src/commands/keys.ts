import type { ApiKey, KeyChange, KeyRequest } from '@assay/sdk';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { formatKey, formatKeys } from '../output/key-table.ts';
import { requireConfirmation } from '../prompt.ts';
import { type Context, openSession, takeItems } from '../session.ts';
import { listOption } from './option-values.ts';

type Scope = ApiKey['scopes'][number];
const isScope: Record<Scope, true> = {
  read: true,
  submit: true,
  decide: true,
  webhooks: true,
  profiles: true,
  manage: true,
};
/** Commander replaces a value that is parsed as null, so the word stays until the request is made. */
const never = 'never';
const modes: ApiKey['mode'][] = ['live', 'sandbox'];

export function addKeys(program: Command, context: Context): void {
  const group = program
    .command('keys')
    .summary('manage the API keys of the workspace')
    .description('Manages the API keys of the workspace. Requires a key with the scope manage.')
    .addHelpText('after', "\nExample:\n  $ assay keys create 'Publishing pipeline' --scopes read,submit");
  for (const add of [addList, addShow, addCreate, addUpdate, addRevoke]) add(group, context);
}

function addList(group: Command, context: Context): void {
  group
    .command('list')
    .description('Lists the keys, newest first, with their scopes and when they were last used.')
    .addHelpText('after', '\nExample:\n  $ assay keys list')
    .action(async (_: unknown, self: Command) => {
      const session = openSession(self, context);
      const keys = await takeItems(session.assay.keys.list({}, { signal: session.signal }));
      session.print({ keys }, () => formatKeys(keys, session.out));
    });
}

function addShow(group: Command, context: Context): void {
  group
    .command('show <key-id>')
    .description('Shows what a key is for, what it may do, and when it was last used.')
    .addHelpText('after', '\nExample:\n  $ assay keys show 0190a5c2-7b1e-7d40-8c11-2a3b4c5d6e7f')
    .action(async (keyId: string, _: unknown, self: Command) => {
      const session = openSession(self, context);
      const key = await session.assay.keys.get(keyId, { signal: session.signal });
      session.print(key, () => formatKey(key, session.out));
    });
}

function addCreate(group: Command, context: Context): void {
  group
    .command('create <name>')
    .description('Creates a key. It is shown only once.')
    .addOption(new Option('--mode <mode>', 'kind of the key (default: that of the key in use)').choices(modes))
    .addOption(listOption('--scopes <scopes>', 'what it may do (default: all except manage)', Object.keys(isScope)))
    .option('--expires <time>', 'when it expires, such as 2027-01-05T00:00:00Z (default: never)', time)
    .addHelpText('after', "\nExample:\n  $ assay keys create 'Publishing pipeline' --scopes read,submit")
    .action(async (name: string, flags: Pick<KeyRequest, 'mode' | 'scopes'> & { expires?: string }, self: Command) => {
      const session = openSession(self, context);
      const { expires: expiresAt, ...rest } = flags;
      const created = await session.assay.keys.create({ name, ...rest, expiresAt }, { signal: session.signal });
      const { key } = created;
      session.print(created, () => `${formatKey(created, session.out)}\n\n  ${key}\n  The key is not shown again.`);
    });
}

function addUpdate(group: Command, context: Context): void {
  group
    .command('update <key-id>')
    .description('Renames a key, or changes when it expires. Its scopes cannot be changed.')
    .option('--name <name>', 'what the key is for')
    .option('--expires <time>', 'when it expires; a time in the past expires it now, never removes the expiry', expiry)
    .addHelpText(
      'after',
      '\nExample:\n  $ assay keys update 0190a5c2-7b1e-7d40-8c11-2a3b4c5d6e7f --expires 2027-01-05T00:00:00Z',
    )
    .action(async (keyId: string, { name, expires }: { name?: string; expires?: string }, self: Command) => {
      const session = openSession(self, context);
      const change: KeyChange = { name, expiresAt: expires === never ? null : expires };
      const key = await session.assay.keys.update(keyId, change, { signal: session.signal });
      session.print(key, () => formatKey(key, session.out));
    });
}

function addRevoke(group: Command, context: Context): void {
  group
    .command('revoke <key-id>')
    .description('Revokes a key. It cannot be made valid again.')
    .option('-y, --yes', 'skip the confirmation')
    .addHelpText('after', '\nExample:\n  $ assay keys revoke 0190a5c2-7b1e-7d40-8c11-2a3b4c5d6e7f --yes')
    .action(async (keyId: string, { yes }: { yes?: boolean }, self: Command) => {
      const session = openSession(self, context);
      const { name, prefix } = await session.assay.keys.get(keyId, { signal: session.signal });
      const label = name ?? `${prefix}…`;
      await requireConfirmation(`Revoke the key ${label}?`, yes, session.signal);
      await session.assay.keys.revoke(keyId, { signal: session.signal });
      session.print({ keyId, isRevoked: true }, () => `${session.out.paint('✓', 'green')} Revoked ${label}.`);
    });
}

function time(text: string): string {
  const millis = Date.parse(text);
  if (Number.isNaN(millis)) throw new InvalidArgumentError('Expected a time, such as 2027-01-05T00:00:00Z.');
  return new Date(millis).toISOString();
}

const expiry = (text: string): string => (text === never ? text : time(text));
