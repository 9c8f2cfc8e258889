import { parseArgs } from 'node:util';
import { createFieldRules } from '@assay/contract/field-rules.ts';
import { z } from 'zod';
import type { WorkspaceId } from '#call/caller.ts';
import type { Config } from '#config/config.ts';
import type { Handles } from '#platform/handles.ts';

/** A mistake by the operator: only its message is printed, without a stack trace. */
export class AdminMistake extends Error {
  override readonly name = 'AdminMistake';
}

export type Context = { handles: Handles; secrets: Pick<Config, 'KEY_PEPPER' | 'WEBHOOK_SECRETS_KEY'> };

/** A command of `pnpm admin`. `usage` is its line in the list of commands, without its name. */
export type Command = { usage: string; run(args: string[], context: Context): Promise<unknown> };

/** Makes a command whose options all have the form `--name value`. */
export function defineCommand<Options extends z.ZodObject>(
  usage: string,
  options: Options,
  run: (options: z.output<Options>, context: Context) => Promise<unknown>,
): Command {
  return {
    usage,
    async run(args, context) {
      const declared = Object.fromEntries(
        Object.keys(options.shape).map((name) => [name, { type: 'string' as const }]),
      );
      let values: Record<string, unknown>;
      try {
        values = parseArgs({ args, options: declared }).values;
      } catch (error) {
        throw new WrongUsage((error as Error).message);
      }
      const parsed = options.safeParse(values, { error: createFieldRules(options).ruleOf });
      if (!parsed.success) {
        const problems = parsed.error.issues.map((issue) => `--${issue.path.join('.')} ${issue.message}`);
        throw new WrongUsage(problems.join('\n'));
      }
      return run(parsed.data, context);
    },
  };
}

/** Invalid arguments: the list of commands is printed after the message. */
export class WrongUsage extends AdminMistake {}

export const workspaceOption = z.uuid().transform((id) => id as WorkspaceId);
export const noSuchWorkspace = 'Workspace not found. List the workspaces with: admin workspace list';
export const doctorUsage = '[--role <api|worker>] [--json]';
