import { Command } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { addCheck } from './commands/check.ts';
import { addCompletion } from './commands/completion.ts';
import { addIssues } from './commands/issues.ts';
import { addListen } from './commands/listen.ts';
import { addLogin } from './commands/login.ts';
import { addRetry, addTopics, addVersions } from './commands/results.ts';
import { addSidekicks } from './commands/sidekicks.ts';
import { addSubmissions } from './commands/submissions.ts';
import { addSubmit } from './commands/submit.ts';
import { addTrigger } from './commands/trigger.ts';
import { addWebhooks } from './commands/webhooks.ts';
import { addWhoami } from './commands/whoami.ts';
import { formatExitCodes } from './exit-codes.ts';
import type { Surroundings } from './session.ts';
import { defaultBaseUrl } from './settings.ts';

const introduction = `
Begin:
  $ assay login
  $ assay check film.mp4

Settings, the first that is there: --api-key and --base-url; ASSAY_API_KEY and ASSAY_BASE_URL; what assay login saved.
Progress goes to stderr, results to stdout. Colours only on a terminal, and not with NO_COLOR.
`;

/** In the order in which the help lists them. */
const everyCommand = [
  addLogin,
  addWhoami,
  addCheck,
  addSubmit,
  addSubmissions,
  addIssues,
  addTopics,
  addVersions,
  addRetry,
  addSidekicks,
  addWebhooks,
  addListen,
  addTrigger,
  addCompletion,
];

/** The whole command line: options that all commands take, and the commands. */
export function createProgram(surroundings: Surroundings): Command {
  const { out, err } = surroundings;
  const program = new Command('assay')
    .description('Checks media for compliance: films, sounds, pictures, documents.')
    .version(manifest.version, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .option('--api-key <key>', 'API key of the workspace')
    .option('--base-url <url>', `where the service runs; left out: ${defaultBaseUrl}`)
    .option('--json', 'one JSON document on stdout')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      outputError: (text, write) => write(`${err.paint('✗', 'red')} ${text.replace(/^error: /, '')}`),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      getOutHelpWidth: () => Math.min(out.width(), 100),
      getErrHelpWidth: () => Math.min(err.width(), 100),
    })
    .showHelpAfterError('  See what it takes: add --help')
    .exitOverride()
    .addHelpText('after', `${introduction}\n${formatExitCodes()}`);
  for (const add of everyCommand) add(program, surroundings);
  refuseUnknownCommand(program);
  return program;
}

/** `assay frobnicate --help` is wrong use: Commander would show the help of `assay` and end with 0. */
function refuseUnknownCommand(command: Command): void {
  command.commands.forEach(refuseUnknownCommand);
  // One that takes arguments of its own may be given anything.
  if (command.commands.length === 0 || command.registeredArguments.length > 0) return;
  command.addHelpText('before', () => {
    const named = command.args.find((arg) => !arg.startsWith('-')) ?? 'help';
    const isKnown = named === 'help' || command.commands.some((one) => one.name() === named);
    if (!isKnown) command.error(`error: unknown command '${named}'`, { code: 'commander.unknownCommand' });
    return '';
  });
}
