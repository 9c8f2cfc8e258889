import type { Command } from 'commander';
import { Failure } from '../failure.ts';
import { promptHidden, readStdin } from '../prompt.ts';
import { type Context, createSession, flagsOf } from '../session.ts';
import { configPath, readSettings, saveSettings } from '../settings.ts';

const examples = `
Examples:
  $ assay login                                     prompts for the API key
  $ assay login --base-url https://assay.example.org
  $ assay login < key.txt                           reads the key from a file or a pipe

The key is verified, then saved with the address in a file that only you can read. The operator of the service creates
keys with pnpm admin workspace create. ASSAY_API_KEY and --api-key take precedence over the saved key.`;

export function addLogin(program: Command, context: Context): void {
  program
    .command('login')
    .summary('save the API key and the address of the service')
    .description('Verifies an API key and saves it with the address of the service.')
    .addHelpText('after', examples)
    .action(async (_: unknown, self: Command) => {
      const { environment, err, signal } = context;
      const flags = flagsOf(self);
      const path = configPath(environment);
      // Only the saved address is used, because the saved key is about to be replaced.
      const settings = readSettings({ ...flags, apiKey: flags.apiKey ?? 'none yet' }, environment, {
        ignoresInvalidFile: true,
      });
      const { baseUrl } = settings;
      const apiKey = (flags.apiKey ?? (await readKey(baseUrl, signal))).trim();
      if (!apiKey) {
        throw new Failure('usage', 'No API key given.', { next: 'Type the key, pipe it in, or pass --api-key.' });
      }
      const session = createSession(self, context, settings, apiKey);
      const me = await session.assay.me({ signal });
      saveSettings(path, { baseUrl, apiKey });
      session.print({ ...me, baseUrl, savedTo: path }, () =>
        [
          `${session.out.paint('✓', 'green')} Signed in to ${baseUrl}, workspace ${me.workspaceId}, ${me.mode} key.`,
          session.out.paint(`  Saved to ${path}.`, 'dim'),
        ].join('\n'),
      );
      if (environment.ASSAY_API_KEY && environment.ASSAY_API_KEY !== apiKey) {
        err.line(
          err.paint('ASSAY_API_KEY is set to a different key, which takes precedence over the saved key.', 'yellow'),
        );
      }
    });
}

async function readKey(baseUrl: string, signal: AbortSignal): Promise<string> {
  return process.stdin.isTTY ? promptHidden(`API key for ${baseUrl} (hidden): `, signal) : readStdin();
}
