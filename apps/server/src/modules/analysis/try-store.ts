import { randomUUID } from 'node:crypto';
import type { AssetErrorType, BoundingVariable } from '@assay/contract/asset-failures.ts';
import type { Tier } from '@assay/contract/limits.ts';
import { sql } from 'kysely';
import type { WorkspaceId } from '#call/caller.ts';
import type { Db } from '#platform/postgres/db.ts';
import type { AssetAttempt } from './asset-attempt.ts';
import { type TryEnding, unlimitedEndings } from './try-endings.ts';
import type { TryReason } from './try-reason.ts';

/** How many tries with an unlimited ending are kept per attempt. */
const unlimitedTriesKept = 20;

const ofAttempt = (workspaceId: WorkspaceId, { submissionId, assetId, attempt }: Omit<AssetAttempt, 'workspaceId'>) =>
  sql`submission_id = ${submissionId} and asset_id = ${assetId} and attempt = ${attempt} and workspace_id = ${workspaceId}`;

/** Records the start of a try; undefined if the attempt was settled, cancelled or deleted in the meantime. */
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
 * How the earlier tries of an attempt ended, and the tier of its workspace. A try without a recorded ending was lost with
 * its worker: the engine reassigns an examination only after losing its worker.
 */
export async function findTryEndings(
  db: Db,
  workspaceId: WorkspaceId,
  asset: AssetAttempt,
): Promise<{ endings: TryEnding[]; tier: Tier }> {
  const { rows } = await sql<{ endings: TryEnding[]; tier: Tier }>`
    with lost as (
      update examination_tries set ended_by = 'worker'
      where ${ofAttempt(workspaceId, asset)} and ended_by is null
    )
    select tier, array(
      select coalesce(ended_by, 'worker') -- as it was before this statement
      from examination_tries
      where ${ofAttempt(workspaceId, asset)}
    ) as endings
    from workspaces where workspace_id = ${workspaceId}`.execute(db);
  return rows[0] ?? { endings: [], tier: 'free' };
}

/** How and why a try ended. */
export type TryEnd = { ending: TryEnding; errorType: AssetErrorType } & TryReason;

/**
 * Records the ending of a try, and replaces one that another worker recorded because it considered the try lost. An
 * outage can last for thousands of tries, so only the newest tries with an unlimited ending are kept.
 */
export async function endTry(
  db: Db,
  workspaceId: WorkspaceId,
  asset: AssetAttempt,
  tryId: string,
  { ending, errorType, reason, variable }: TryEnd,
): Promise<void> {
  await sql`
    with surplus as (
      delete from examination_tries where ${ofAttempt(workspaceId, asset)} and try_id in (
        select try_id from examination_tries
        where ${ofAttempt(workspaceId, asset)} and ended_by = any(${unlimitedEndings}) and try_id <> ${tryId}
        order by started_at desc nulls last
        offset ${unlimitedTriesKept}
      )
    )
    update examination_tries
    set ended_by = ${ending}, ended_at = now(), error_type = ${errorType}, reason = ${reason}, variable = ${variable ?? null}
    where ${ofAttempt(workspaceId, asset)} and try_id = ${tryId}`.execute(db);
}

/** Every recorded try of an asset, oldest first, for the operator. */
export async function findTries(
  db: Db,
  workspaceId: WorkspaceId,
  { submissionId, assetId }: { submissionId: string; assetId: string },
) {
  return await db
    .selectFrom('examination_tries')
    .select([
      'attempt',
      'worker_id as workerId',
      'started_at as startedAt',
      'ended_at as endedAt',
      'ended_by as endedBy',
      'error_type as errorType',
      'reason',
      'variable',
    ])
    .$narrowType<{ endedBy: TryEnding | null; variable: BoundingVariable | null }>()
    .where('submission_id', '=', submissionId)
    .where('asset_id', '=', assetId)
    .where('workspace_id', '=', workspaceId)
    .orderBy('attempt')
    .orderBy('started_at', (order) => order.asc().nullsFirst())
    .execute();
}

/** Deletes the tries of a completed attempt. Those of a failed one are kept, because they show why it failed. */
export async function deleteTries(
  db: Db,
  workspaceId: WorkspaceId,
  asset: Omit<AssetAttempt, 'workspaceId'>,
): Promise<void> {
  await sql`delete from examination_tries where ${ofAttempt(workspaceId, asset)}`.execute(db);
}
