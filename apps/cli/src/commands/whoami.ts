import { formatDateTime } from '@assay/report/format/format.ts';
import type { Command } from 'commander';
import { formatFacts } from '../output/table.ts';
import { type Context, openSession } from '../session.ts';

export function addWhoami(program: Command, context: Context): void {
  program
    .command('whoami')
    .summary('show the workspace and key in use')
    .description(
      'Shows the workspace, mode, tier, credits, scopes and expiry of the key, and where the key and address come from.',
    )
    .addHelpText('after', '\nExample:\n  $ assay whoami --json')
    .action(async (_: unknown, self: Command) => {
      const session = openSession(self, context);
      const me = await session.assay.me({ signal: session.signal });
      const { baseUrl, baseUrlFrom, apiKeyFrom } = session.settings;
      session.print({ ...me, baseUrl, baseUrlFrom, apiKeyFrom }, () =>
        formatFacts(
          [
            ['workspace', me.workspaceId],
            ['mode', me.mode === 'sandbox' ? 'sandbox (files are not analysed)' : 'live'],
            ['tier', me.tier],
            ['credits', `${me.credits.used} used`],
            ['key', `${me.keyName === null ? '' : `${me.keyName}, `}${me.keyPrefix}… (from ${apiKeyFrom})`],
            ['scopes', me.scopes.join(', ')],
            ...(me.keyExpiresAt === null ? [] : [['expires', formatDateTime(me.keyExpiresAt)] as [string, string]]),
            ['service', `${baseUrl} (from ${baseUrlFrom})`],
          ],
          session.out,
        ),
      );
    });
}
