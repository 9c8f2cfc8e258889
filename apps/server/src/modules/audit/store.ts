import { randomUUIDv7 } from 'node:crypto';
import type { WorkspaceId } from '#call/caller.ts';
import type { Db } from '#platform/postgres/db.ts';

/** Who acts: the name that the operator stated, if any, and the account and machine that run the command. */
export type Operator = { name: string | null; osUser: string; host: string };

export type NewAction = {
  operator: Operator;
  command: string;
  outcome: 'started' | 'completed' | 'failed';
  workspaceId: WorkspaceId | null;
  /** Never a secret. */
  arguments: object;
  /** Never a secret. */
  result: object;
};

export async function insertAction(db: Db, action: NewAction): Promise<void> {
  const { operator } = action;
  await db
    .insertInto('admin_actions')
    .values({
      action_id: randomUUIDv7(),
      operator: operator.name,
      os_user: operator.osUser,
      host: operator.host,
      command: action.command,
      outcome: action.outcome,
      workspace_id: action.workspaceId,
      arguments: JSON.stringify(action.arguments),
      result: JSON.stringify(action.result),
    })
    .execute();
}

export type Action = Awaited<ReturnType<typeof selectActions>>[number];

/** Actions of all workspaces or of one, newest first. */
export async function selectActions(
  db: Db,
  {
    workspaceId,
    beforeId,
    limit,
  }: { workspaceId: WorkspaceId | undefined; beforeId: string | undefined; limit: number },
) {
  let query = db
    .selectFrom('admin_actions')
    .select([
      'action_id as actionId',
      'acted_at as actedAt',
      'operator',
      'os_user as osUser',
      'host',
      'command',
      'outcome',
      'workspace_id as workspaceId',
      'arguments',
      'result',
    ])
    .orderBy('action_id', 'desc')
    .limit(limit);
  if (workspaceId) query = query.where('workspace_id', '=', workspaceId);
  if (beforeId) query = query.where('action_id', '<', beforeId);
  return query.execute();
}
