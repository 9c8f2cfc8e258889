import { hostname, userInfo } from 'node:os';
import type { Config } from '#config/config.ts';
import type { Operator } from '#modules/audit/store.ts';
import type { Handles } from '#platform/handles.ts';
import { openHandles } from '#start/open-platform.ts';
import { AdminMistake, type Command, type Context, doctorUsage, WrongUsage } from './command.ts';
import { createKey } from './create-key.ts';
import { createWorkspace } from './create-workspace.ts';
import { deleteWorkspace } from './delete-workspace.ts';
import { explainAssetCommand } from './explain-asset.ts';
import { listActions } from './list-actions.ts';
import { listKeys } from './list-keys.ts';
import { listProfiles } from './list-profiles.ts';
import { listWorkspaces } from './list-workspaces.ts';
import { moveStorage } from './move-storage.ts';
import { renameWorkspace } from './rename-workspace.ts';
import { revokeKey } from './revoke-key.ts';
import { rotateSecrets } from './rotate-secrets.ts';
import { setProfile } from './set-profile.ts';
import { setTier } from './set-tier.ts';
import { showCredits } from './show-credits.ts';
import { updateKey } from './update-key.ts';

/** Every command except `doctor`, which main.ts runs. */
const commands: Record<string, Command> = {
  'workspace create': createWorkspace,
  'workspace rename': renameWorkspace,
  'workspace set-tier': setTier,
  'workspace set-profile': setProfile,
  'workspace credits': showCredits,
  'workspace list': listWorkspaces,
  'workspace delete': deleteWorkspace,
  'profile list': listProfiles,
  'key create': createKey,
  'key list': listKeys,
  'key update': updateKey,
  'key revoke': revokeKey,
  'asset explain': explainAssetCommand,
  'action list': listActions,
  'secrets rotate': rotateSecrets,
  'storage move': moveStorage,
};

const usages: Record<string, string> = {
  ...Object.fromEntries(Object.entries(commands).map(([name, { usage }]) => [name, usage])),
  doctor: doctorUsage,
};
const allUsages = `usage: admin <command>
${Object.entries(usages)
  .map(([name, usage]) => `  ${name} ${usage}`.trimEnd())
  .join('\n')}
All commands print JSON, action list, asset explain and doctor only with --json. A key is shown only once, when it is
created. Changes are recorded, with your name if you add --as <name> to a command: action list shows them.`;

const usageOf = (name: string) => `usage: admin ${name} ${usages[name]}`.trimEnd();

/** The text that is printed for `--help`: the usage of a command, or the list of all. `null` if it was not asked for. */
export function findHelp(args: string[]): string | null {
  if (args[0] !== 'help' && !args.some((arg) => arg === '--help' || arg === '-h')) return null;
  const name = [args.slice(0, 2).join(' '), args[0] as string].find((one) => Object.hasOwn(usages, one));
  return name ? usageOf(name) : allUsages;
}

/** Runs one command line and returns its output: text, or a value to be printed as JSON. */
export async function runAdmin(args: string[], handles: Handles, secrets: Context['secrets']): Promise<unknown> {
  const command = args.slice(0, 2).join(' ');
  const chosen = commands[command];
  if (!chosen) throw new AdminMistake(command === '' ? allUsages : `Unknown command: ${command}\n\n${allUsages}`);
  try {
    const { name, rest } = takeName(args.slice(2));
    return await chosen.run(rest, { handles, secrets, operator: { name, ...readAccount() } });
  } catch (error) {
    throw error instanceof WrongUsage ? new AdminMistake(`${error.message}\n\n${usageOf(command)}`) : error;
  }
}

/** Removes `--as <name>`, which every command accepts. */
function takeName(args: string[]): { name: string | null; rest: string[] } {
  const at = args.indexOf('--as');
  if (at === -1) return { name: null, rest: args };
  const name = args[at + 1] ?? '';
  if (!/^[^\p{C}]{1,100}$/u.test(name)) throw new WrongUsage('--as needs a name of 1 to 100 characters.');
  return { name, rest: args.toSpliced(at, 2) };
}

function readAccount(): Pick<Operator, 'osUser' | 'host'> {
  try {
    return { osUser: userInfo().username, host: hostname() };
  } catch {
    return { osUser: `uid ${process.getuid?.()}`, host: hostname() }; // a container may have no entry for its user
  }
}

/** Runs one command line with connections of its own, and closes them afterwards. */
export async function administer(config: Config, args: string[]): Promise<unknown> {
  const { handles, close } = openHandles({ ...config, LOG_LEVEL: 'error' });
  try {
    return await runAdmin(args, handles, config);
  } finally {
    await close();
  }
}
