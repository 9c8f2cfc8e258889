import { z } from 'zod';
import { type Action, selectActions } from '#modules/audit/store.ts';
import { defineCommand, workspaceOption } from './command.ts';

/** Prints what operators changed, newest first, as text or JSON. */
export const listActions = defineCommand(
  '[--workspace <id>] [--limit <1 to 1000>] [--before <action id>] [--json]',
  z.object({
    workspace: workspaceOption.optional(),
    limit: z.coerce.number().int().min(1).max(1000).default(50),
    before: z.uuid().optional(),
    json: z.boolean().default(false),
  }),
  async ({ workspace: workspaceId, limit, before: beforeId, json }, { handles: { db } }) => {
    const found = await selectActions(db, { workspaceId, beforeId, limit: limit + 1 });
    const actions = found.slice(0, limit);
    const nextBefore = found.length > limit ? (actions.at(-1)?.actionId ?? null) : null;
    return json ? { actions, nextBefore } : formatActions(actions, nextBefore);
  },
);

function formatActions(actions: Action[], nextBefore: string | null): string {
  if (actions.length === 0) return 'No actions are recorded.';
  return [...actions.map(formatAction), ...(nextBefore ? [`Older actions: --before ${nextBefore}`] : [])].join('\n');
}

function formatAction({ actedAt, operator, osUser, host, command, outcome, workspaceId, ...action }: Action): string {
  const options = Object.entries(action.arguments as object).map(([name, value]) => `--${name} ${toWord(value)}`);
  const results = Object.entries(action.result as object).map(([name, value]) => `${name}=${toWord(value)}`);
  // `--workspace` already names it, if the command has this option.
  if (workspaceId && !('workspace' in (action.arguments as object))) results.unshift(`workspaceId=${workspaceId}`);
  const words = [
    actedAt.toISOString(),
    toWord(`${operator ? `${operator}, ` : ''}${osUser}@${host}`),
    outcome,
    command,
    ...options,
    ...(results.length > 0 ? ['→', ...results] : []),
  ];
  return words.join(' ');
}

/** One word for a shell, without characters that change how a terminal shows what surrounds them. */
function toWord(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (/^[\w.:@/-]+$/.test(text)) return text;
  const escapeCharacter = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`;
  return `'${text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escapeCharacter).replaceAll("'", "'\\''")}'`;
}
