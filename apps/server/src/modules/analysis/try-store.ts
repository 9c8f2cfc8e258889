import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { WorkspaceId } from '#call/caller.ts';
import type { Db } from '#platform/postgres/db.ts';
import type { AssetAttempt } from './asset-attempt.ts';
import type { TryEnding } from './try-endings.ts';

const ofAttempt = (workspaceId: WorkspaceId, { submissionId, assetId, attempt }: Omit<AssetAttempt, 'workspaceId'>) =>
  sql`submission_id = ${submissionId} and asset_id = ${assetId} and attempt = ${attempt} and workspace_id = ${workspaceId}`;

/** Starts a try; undefined when the attempt was settled, cancelled or deleted meanwhile. */
export async function beginTry(
  db: Db,
  workspaceId: WorkspaceId,
  asset: AssetAttempt,
  { workerId, isSuspect }: { workerId: string; isSuspect: boolean },
): Promise<string | undefined> {
  const tryId = randomUUID();
  const { numAffectedRows } = await sql`
    insert into examination_tries (submission_id, asset_id, attempt, try_id, workspace_id, worker_id, is_suspect)
    select submission_id, asset_id, attempt, ${tryId}::uuid, workspace_id, ${workerId}::uuid, ${isSuspect}::boolean
    from assets where ${ofAttempt(workspaceId, asset)} and status = 'processing'
    for share`.execute(db);
  return numAffectedRows ? tryId : undefined;
}

/**
 * How the earlier tries of an attempt ended. A try without an ending was lost with its worker, because the engine
 * reassigns an examination only then.
 */
export async function findTryEndings(db: Db, workspaceId: WorkspaceId, asset: AssetAttempt): Promise<TryEnding[]> {
  const { rows } = await sql<{ ending: TryEnding }>`
    with lost as (
      update examination_tries set ended_by = 'worker'
      where ${ofAttempt(workspaceId, asset)} and ended_by is null
    )
    select coalesce(ended_by, 'worker') as ending -- as it was before this statement
    from examination_tries
    where ${ofAttempt(workspaceId, asset)}`.execute(db);
  return rows.map(({ ending }) => ending);
}

/** Also corrects the ending that another worker recorded because it considered the try lost. */
export async function endTry(
  db: Db,
  workspaceId: WorkspaceId,
  asset: AssetAttempt,
  tryId: string,
  ending: TryEnding,
): Promise<void> {
  await sql`
    update examination_tries set ended_by = ${ending} where ${ofAttempt(workspaceId, asset)} and try_id = ${tryId}`.execute(
    db,
  );
}

/** The endings of tries are not needed once the attempt is settled. */
export async function deleteTries(
  db: Db,
  workspaceId: WorkspaceId,
  asset: Omit<AssetAttempt, 'workspaceId'>,
): Promise<void> {
  await sql`delete from examination_tries where ${ofAttempt(workspaceId, asset)}`.execute(db);
}
