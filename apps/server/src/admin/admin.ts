import type { Config } from '#config/config.ts';
import type { Handles } from '#platform/handles.ts';
import { openHandles } from '#start/open-platform.ts';
import { AdminMistake, type Command, type Context, doctorUsage, WrongUsage } from './command.ts';
import { createKey } from './create-key.ts';
import { createWorkspace } from './create-workspace.ts';
import { explainAssetCommand } from './explain-asset.ts';
import { listKeys } from './list-keys.ts';
import { listProfiles } from './list-profiles.ts';
import { listWorkspaces } from './list-workspaces.ts';
import { moveStorage } from './move-storage.ts';
import { revokeKey } from './revoke-key.ts';
import { rotateSecrets } from './rotate-secrets.ts';
import { setProfile } from './set-profile.ts';
import { setTier } from './set-tier.ts';
import { showCredits } from './show-credits.ts';

/** Every command except `doctor`, which main.ts runs. */
const commands: Record<string, Command> = {
  'workspace create': createWorkspace,
  'workspace set-tier': setTier,
  'workspace set-profile': setProfile,
  'workspace credits': showCredits,
  'workspace list': listWorkspaces,
  'profile list': listProfiles,
  'key create': createKey,
  'key list': listKeys,
  'key revoke': revokeKey,
  'asset explain': explainAssetCommand,
  'secrets rotate': rotateSecrets,
  'storage move': moveStorage,
};

const usageLines = [
  ...Object.entries(commands).map(([name, { usage }]) => `${name} ${usage}`),
  `doctor ${doctorUsage}`,
];
const usage = `usage: admin <command>
${usageLines.map((line) => `  ${line.trimEnd()}`).join('\n')}
All commands print JSON, asset explain and doctor only with --json. A key is shown only once, when it is created.`;

/** Runs one command line and returns its output: text, or a value to be printed as JSON. */
export async function runAdmin(args: string[], handles: Handles, secrets: Context['secrets']): Promise<unknown> {
  const chosen = commands[args.slice(0, 2).join(' ')];
  if (!chosen) throw new AdminMistake(usage);
  try {
    return await chosen.run(args.slice(2), { handles, secrets });
  } catch (error) {
    throw error instanceof WrongUsage ? new AdminMistake(`${error.message}\n\n${usage}`) : error;
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
