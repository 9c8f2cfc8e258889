import { parseArgs } from 'node:util';
import { createFieldRules } from '@assay/contract/field-rules.ts';
import { z } from 'zod';
import type { WorkspaceId } from '#call/caller.ts';
import type { Config } from '#config/config.ts';
import { insertAction, type NewAction, type Operator } from '#modules/audit/store.ts';
import { findWorkspace } from '#modules/workspaces/store.ts';
import type { Handles } from '#platform/handles.ts';
import type { Db } from '#platform/postgres/db.ts';

/** A mistake by the operator: only its message is printed, without a stack trace. */
export class AdminMistake extends Error {
  override readonly name = 'AdminMistake';
}

export type Context = {
  handles: Handles;
  secrets: Pick<Config, 'KEY_PEPPER' | 'WEBHOOK_SECRETS_KEY'>;
  operator: Operator;
};

/** A command of `pnpm admin`. `usage` is its line in the list of commands, without its name. */
export type Command = { usage: string; run(args: string[], context: Context): Promise<unknown> };

/** Makes a command that changes nothing. Its options have the form `--name value`, and `--name` if they are a boolean. */
export function defineCommand<Options extends z.ZodObject>(
  usage: string,
  options: Options,
  run: (options: z.output<Options>, context: Context) => Promise<unknown>,
): Command {
  return { usage, run: async (args, context) => run(parseOptions(options, args).parsed, context) };
}

/** What a command prints, and what its record says besides the options. */
export type Change = { output: unknown; workspaceId: WorkspaceId; result?: object };

/** Makes a command that changes rows. It runs in a transaction, which also contains the record of the action. */
export function defineChange<Options extends z.ZodObject>(
  name: string,
  usage: string,
  options: Options,
  run: (options: z.output<Options>, context: Context) => Promise<Change>,
): Command {
  return {
    usage,
    async run(args, context) {
      const { given, parsed } = parseOptions(options, args);
      return context.handles.db.transaction().execute(async (db) => {
        const handles = { ...context.handles, db };
        const { output, workspaceId, result = {} } = await run(parsed, { ...context, handles });
        const { operator } = context;
        await insertAction(db, {
          operator,
          command: name,
          outcome: 'completed',
          workspaceId,
          arguments: given,
          result,
        });
        return output;
      });
    },
  };
}

/** Records a change that takes longer than a transaction: before it starts, and with its result when it has ended. */
export async function recordAround<Result extends object>(
  { handles: { db }, operator }: Context,
  action: Pick<NewAction, 'command' | 'workspaceId' | 'arguments'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const record = (outcome: NewAction['outcome'], result: object) =>
    insertAction(db, { ...action, operator, outcome, result });
  await record('started', {});
  try {
    const result = await work();
    await record('completed', result);
    return result;
  } catch (error) {
    await record('failed', {}).catch(() => {}); // the database may be what failed
    throw error;
  }
}

/** Returns the options as given, and as the schema reads them. */
function parseOptions<Options extends z.ZodObject>(options: Options, args: string[]) {
  const declared = Object.fromEntries(
    Object.entries(options.shape).map(([name, schema]) => [
      name,
      { type: isFlag(schema) ? 'boolean' : 'string' } as const,
    ]),
  );
  let given: Record<string, unknown>;
  try {
    given = parseArgs({ args, options: declared }).values;
  } catch (error) {
    throw new WrongUsage((error as Error).message);
  }
  const parsed = options.safeParse(given, { error: createFieldRules(options).ruleOf });
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `--${issue.path.join('.')} ${issue.message}`);
    throw new WrongUsage(problems.join('\n'));
  }
  return { given, parsed: parsed.data };
}

const isFlag = (schema: unknown) => schema instanceof z.ZodDefault && schema.unwrap() instanceof z.ZodBoolean;

/** Invalid arguments: the usage of the command is printed after the message. */
export class WrongUsage extends AdminMistake {}

export const workspaceOption = z.uuid().transform((id) => id as WorkspaceId);
export const workspaceName = z.string().min(1).max(200);
export const noSuchWorkspace = 'Workspace not found. List the workspaces with: admin workspace list';
export const doctorUsage = '[--role <api|worker>] [--json]';

/** Fails unless the workspace exists and is not deleted. */
export async function requireWorkspace(db: Db, workspaceId: WorkspaceId): Promise<void> {
  const found = await findWorkspace(db, workspaceId);
  if (!found || found.deletedAt) throw new AdminMistake(noSuchWorkspace);
}
