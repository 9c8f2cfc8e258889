import type { Command } from 'commander';
import { openSession, type Surroundings } from '../session.ts';
import { formatFacts } from '../table.ts';

export function addWhoami(program: Command, surroundings: Surroundings): void {
  program
    .command('whoami')
    .summary('show which workspace and key are in use')
    .description('Shows workspace, mode, tier and credits of the key in use, and where key and address come from.')
    .addHelpText('after', '\nExample:\n  $ assay whoami --json')
    .action(async (_: unknown, self: Command) => {
      const session = openSession(self, surroundings);
      const me = await session.assay.me({ signal: session.signal });
      const { baseUrl, baseUrlFrom, apiKeyFrom } = session.settings;
      session.show({ ...me, baseUrl, baseUrlFrom, apiKeyFrom }, () =>
        formatFacts(
          [
            ['workspace', me.workspaceId],
            ['mode', me.mode === 'sandbox' ? 'sandbox: files are taken and not analysed' : 'live'],
            ['tier', me.tier],
            ['credits', `${me.credits.used} spent so far`],
            ['key', `${me.keyPrefix}… (from ${apiKeyFrom})`],
            ['service', `${baseUrl} (from ${baseUrlFrom})`],
          ],
          session.out,
        ),
      );
    });
}
