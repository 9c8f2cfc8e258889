import { parseArgs } from 'node:util';
import { createFieldRules } from '@assay/contract/field-rules.ts';
import { tiers } from '@assay/contract/limits.ts';
import { builtInProfiles } from '@assay/contract/schemas/profiles/built-in.ts';
import { builtInProfile } from '@assay/sidekicks/built-in-profiles.ts';
import { z } from 'zod';
import type { Db } from '../handles/db.ts';
import type { Handles } from '../handles/handles.ts';
import { idOfSecret, type KeyRing } from '../handles/key-ring.ts';
import type { Mode, WorkspaceId } from './caller.ts';
import { displayOf, hashKey, makeKey } from './key.ts';
import {
  insertKey,
  insertWorkspace,
  listKeys,
  listWorkspaces,
  revokeKey,
  selectOwnProfile,
  sumCreditsByMonth,
  updateWorkspace,
} from './store.ts';

/** Run in assemble.ts, where all modules are available, as it concerns both keys and webhooks. */
export const rotateCommand = 'secrets rotate';

/** Run in assemble.ts too, as it concerns uploads. */
export const moveCommand = 'storage move';
export const moveUsage = `${moveCommand} --from <azure|s3> --to <azure|s3> [--delete-source] [--dry-run]`;

const usage = `usage: admin <command>

  workspace create --name <name> --tier <${tiers.join('|')}>
  workspace set-tier --workspace <id> --tier <tier>
  workspace set-profile --workspace <id> --profile <${builtInProfiles.join('|')}, or name or id of an own one>
  workspace credits --workspace <id>
  workspace list
  profile list
  key create --workspace <id> --mode <live|sandbox> [--expires <ISO 8601 time>]
  key list --workspace <id>
  key revoke --key <id>
  ${rotateCommand}
  ${moveUsage}
  doctor [--role <api|worker>] [--json]

Every command but doctor prints JSON. A key is shown only once, when it is created.`;

const noSuchWorkspace = 'Workspace not found. List the workspaces with: admin workspace list';

const noSuchProfile = `Workspace or profile not found. Built-in profiles: ${builtInProfiles.join(', ')}. GET /profiles lists those of a workspace.`;

export class AdminMistake extends Error {
  override readonly name = 'AdminMistake';
}

type Context = { handles: Handles; pepper: string };

const tier = z.enum(tiers);
const workspace = z.uuid().transform((id) => id as WorkspaceId);

// Command → its options and what it returns.
const commands = {
  'workspace create': command(z.object({ name: z.string().min(1).max(200), tier }), async (options, context) => {
    return context.handles.db.transaction().execute(async (db) => {
      const workspaceId = await insertWorkspace(db, options.name, options.tier);
      const live = await issueKey(db, context.pepper, workspaceId, 'live', null);
      const sandbox = await issueKey(db, context.pepper, workspaceId, 'sandbox', null);
      return { workspaceId, liveKey: live.key, sandboxKey: sandbox.key };
    });
  }),
  'workspace set-tier': command(z.object({ workspace, tier }), async (options, { handles }) => {
    const { tier } = options;
    if (!(await updateWorkspace(handles.db, options.workspace, { tier }))) throw new AdminMistake(noSuchWorkspace);
    return { workspaceId: options.workspace, tier };
  }),
  'workspace set-profile': command(
    z.object({ workspace, profile: z.string().min(1).max(63) }),
    async ({ workspace: workspaceId, profile }, { handles: { db } }) => {
      const isBuiltIn = builtInProfiles.some((name) => name === profile);
      const isDone = isBuiltIn
        ? await updateWorkspace(db, workspaceId, { profile })
        : await selectOwnProfile(db, workspaceId, profile);
      if (!isDone) throw new AdminMistake(isBuiltIn ? noSuchWorkspace : noSuchProfile);
      return { workspaceId, profile };
    },
  ),
  'workspace credits': command(z.object({ workspace }), async (options, { handles }) =>
    sumCreditsByMonth(handles.db, options.workspace),
  ),
  'workspace list': command(z.object({}), async (_, { handles }) => listWorkspaces(handles.db)),
  'profile list': command(z.object({}), async () =>
    builtInProfiles.map((profile) => ({ profile, ...builtInProfile(profile) })),
  ),
  'key create': command(
    z.object({
      workspace,
      mode: z.enum(['live', 'sandbox']),
      expires: z.coerce.date('must be a time in ISO 8601, such as 2027-01-05T09:30:00Z.').optional(),
    }),
    async (options, { handles, pepper }) =>
      issueKey(handles.db, pepper, options.workspace, options.mode, options.expires ?? null),
  ),
  'key list': command(z.object({ workspace }), async (options, { handles }) => listKeys(handles.db, options.workspace)),
  'key revoke': command(z.object({ key: z.uuid() }), async (options, { handles }) => {
    const now = handles.clock.now();
    if (!(await revokeKey(handles.db, options.key, now)))
      throw new AdminMistake('Key not found. List the keys with: admin key list');
    return { keyId: options.key, isRevoked: true };
  }),
};

/** Runs one command line and returns what is printed. */
export async function runAdmin(args: string[], handles: Handles, [pepper]: KeyRing): Promise<unknown> {
  const name = args.slice(0, 2).join(' ');
  const chosen = commands[name as keyof typeof commands];
  if (!chosen) throw new AdminMistake(usage);
  return chosen(args.slice(2), { handles, pepper });
}

function command<Options extends z.ZodObject>(
  options: Options,
  run: (options: z.output<Options>, context: Context) => Promise<unknown>,
) {
  return async (args: string[], context: Context) => {
    const names = Object.keys(options.shape);
    let values: Record<string, unknown>;
    try {
      const declared = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
      values = parseArgs({ args, options: declared }).values;
    } catch (error) {
      throw new AdminMistake(`${(error as Error).message}\n\n${usage}`);
    }
    const parsed = options.safeParse(values, { error: createFieldRules(options).ruleOf });
    if (!parsed.success) {
      const problems = parsed.error.issues.map((issue) => `--${issue.path.join('.')} ${issue.message}`);
      throw new AdminMistake(`${problems.join('\n')}\n\n${usage}`);
    }
    return run(parsed.data, context);
  };
}

async function issueKey(db: Db, pepper: string, workspaceId: WorkspaceId, mode: Mode, expiresAt: Date | null) {
  const key = makeKey(mode);
  const row = { mode, hmac: hashKey(key, pepper), pepperId: idOfSecret(pepper), ...displayOf(key), expiresAt };
  const keyId = await insertKey(db, workspaceId, row).catch((error) => {
    if (error.code === foreignKeyViolation) throw new AdminMistake(noSuchWorkspace, { cause: error });
    throw error;
  });
  return { keyId, workspaceId, mode, key, expiresAt };
}

const foreignKeyViolation = '23503';
