import type { Command } from 'commander';
import { formatFacts } from '../output/table.ts';
import { type Context, openSession } from '../session.ts';

export function addWhoami(program: Command, context: Context): void {
  program
    .command('whoami')
    .summary('show the workspace and key in use')
    .description('Shows the workspace, mode, tier and credits of the key, and where the key and address come from.')
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
            ['key', `${me.keyPrefix}… (from ${apiKeyFrom})`],
            ['service', `${baseUrl} (from ${baseUrlFrom})`],
          ],
          session.out,
        ),
      );
    });
}
