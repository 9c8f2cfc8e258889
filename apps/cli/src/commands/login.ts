import type { Command } from 'commander';
import { askHidden, readStdin } from '../ask.ts';
import { Failure } from '../failure.ts';
import { createSession, flagsOf, type Surroundings } from '../session.ts';
import { configPath, readSettings, saveSettings } from '../settings.ts';

const examples = `
Examples:
  $ assay login                                     asks for the key, and does not show it
  $ assay login --base-url https://assay.example.org
  $ assay login < key.txt                           from a file or a pipe

The key is checked, then saved with the address, readable by you alone. Whoever runs the service makes keys:
pnpm admin workspace create. ASSAY_API_KEY and --api-key win over what is saved.`;

export function addLogin(program: Command, surroundings: Surroundings): void {
  program
    .command('login')
    .summary('save the API key and the address of the service')
    .description('Checks an API key and saves it with the address of the service.')
    .addHelpText('after', examples)
    .action(async (_: unknown, self: Command) => {
      const { environment, err, signal } = surroundings;
      const flags = flagsOf(self);
      const path = configPath(environment);
      // Whatever key is saved is about to be replaced; only the address is of interest.
      const settings = readSettings({ ...flags, apiKey: flags.apiKey ?? 'none yet' }, environment, {
        isBrokenEmpty: true,
      });
      const { baseUrl } = settings;
      const apiKey = (flags.apiKey ?? (await readKey(baseUrl, signal))).trim();
      if (!apiKey) {
        throw new Failure('usage', 'No key was given.', { next: 'Type it, pipe it in, or pass --api-key.' });
      }
      const session = createSession(self, surroundings, settings, apiKey);
      const me = await session.assay.me({ signal });
      saveSettings(path, { baseUrl, apiKey });
      session.show({ ...me, baseUrl, savedTo: path }, () =>
        [
          `${session.out.paint('✓', 'green')} Signed in to ${baseUrl}, workspace ${me.workspaceId}, ${me.mode} key.`,
          session.out.paint(`  Saved in ${path}.`, 'dim'),
        ].join('\n'),
      );
      if (environment.ASSAY_API_KEY && environment.ASSAY_API_KEY !== apiKey) {
        err.line(err.paint('ASSAY_API_KEY is set to another key, and wins over the saved one.', 'yellow'));
      }
    });
}

async function readKey(baseUrl: string, signal: AbortSignal): Promise<string> {
  return process.stdin.isTTY ? askHidden(`API key for ${baseUrl} (not shown): `, signal) : readStdin();
}
