import { Command } from 'commander';
import service from '../../../package.json' with { type: 'json' };
import { addCheck } from './commands/check.ts';
import { addCompletion } from './commands/completion.ts';
import { addIssues } from './commands/issues.ts';
import { addKeys } from './commands/keys.ts';
import { addListen } from './commands/listen.ts';
import { addLogin } from './commands/login.ts';
import { addProfiles } from './commands/profiles.ts';
import { addReport } from './commands/report.ts';
import { addChanges, addRetry, addTopics, addVersions } from './commands/results.ts';
import { addSidekicks } from './commands/sidekicks.ts';
import { addSubmissions } from './commands/submissions.ts';
import { addSubmit } from './commands/submit.ts';
import { addTrigger } from './commands/trigger.ts';
import { addWebhooks } from './commands/webhooks.ts';
import { addWhoami } from './commands/whoami.ts';
import { formatExitCodes } from './exit-codes.ts';
import type { Context } from './session.ts';
import { defaultBaseUrl } from './settings.ts';

const introduction = `
Get started:
  $ assay login
  $ assay check video.mp4

Settings are read from flags, then from ASSAY_API_KEY and ASSAY_BASE_URL, then from the values saved by assay login.
The API calls a check a sidekick, and so do the flag --sidekick, the command assay sidekicks and the JSON output.
Results go to stdout, progress to stderr. Colours are used on a terminal only, and never with NO_COLOR.
`;

/** The commands in the order in which the help lists them. */
const addCommands = [
  addLogin,
  addWhoami,
  addCheck,
  addSubmit,
  addSubmissions,
  addReport,
  addIssues,
  addTopics,
  addVersions,
  addChanges,
  addRetry,
  addSidekicks,
  addProfiles,
  addWebhooks,
  addKeys,
  addListen,
  addTrigger,
  addCompletion,
];

/** All commands, and the options that they share. */
export function createProgram(context: Context): Command {
  const { out, err } = context;
  const program = new Command('assay')
    .description('Checks media files for compliance: videos, audio, images and documents.')
    .version(service.version, '-V, --version', 'show the version, which is that of the service it was built with')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show the help of a command')
    .option('--api-key <key>', 'API key of the workspace')
    .option('--base-url <url>', `address of the service (default: ${defaultBaseUrl})`)
    .option('--json', 'print JSON to stdout')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      outputError: (text, write) => write(`${err.paint('✗', 'red')} ${text.replace(/^error: /, '')}`),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      getOutHelpWidth: () => Math.min(out.width(), 100),
      getErrHelpWidth: () => Math.min(err.width(), 100),
    })
    .showHelpAfterError('  Add --help to see the options.')
    .exitOverride()
    .addHelpText('after', `${introduction}\n${formatExitCodes()}`);
  for (const add of addCommands) add(program, context);
  rejectUnknownCommand(program);
  return program;
}

/** `assay frobnicate --help` must fail: Commander would show the help of `assay` and exit with 0. */
function rejectUnknownCommand(command: Command): void {
  command.commands.forEach(rejectUnknownCommand);
  // For a command that takes arguments, any word may be an argument.
  if (command.commands.length === 0 || command.registeredArguments.length > 0) return;
  command.addHelpText('before', () => {
    const named = command.args.find((arg) => !arg.startsWith('-')) ?? 'help';
    const isKnown = named === 'help' || command.commands.some((one) => one.name() === named);
    if (!isKnown) command.error(`error: unknown command '${named}'`, { code: 'commander.unknownCommand' });
    return '';
  });
}
