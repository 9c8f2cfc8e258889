import { decisionsShownMax } from '@assay/contract/limits.ts';
import type { DecisionReason, IssueDecision, IssueStatus } from '@assay/contract/schemas/issue.ts';
import { sql } from 'kysely';
import type { Actor, WorkspaceId } from '#call/caller.ts';
import { listColumns, type RowOf } from '#platform/postgres/columns.ts';
import type { DB } from '#platform/postgres/database.generated.ts';
import type { Db } from '#platform/postgres/db.ts';
import { type AssetKey, type IssueRow, issueColumns } from '../store.ts';

const columns = [
  'issue_id as issueId',
  'decision_number as decisionNumber',
  'actor_kind as actorKind',
  'actor_id as actorId',
  'decided_at as decidedAt',
  'from_status as fromStatus',
  'to_status as toStatus',
  'reason',
  'note',
  'carries_over as carriesOver',
  'carried_from as carriedFrom',
] as const;

export type DecisionRow = RowOf<
  Pick<DB, 'issue_decisions'>,
  typeof columns,
  {
    actorKind: IssueDecision['actor']['kind'];
    fromStatus: IssueStatus | null;
    toStatus: IssueStatus;
    reason: DecisionReason | null;
    carriedFrom: IssueDecision['carriedFrom'];
  }
>;

export type NewDecision = Pick<DecisionRow, 'decidedAt' | 'toStatus' | 'reason' | 'note' | 'carriesOver'> & {
  actor: Actor;
};

/**
 * Sets the status of an issue and records the decision. Called in a transaction that has locked the submission and stores
 * the verdict that follows.
 */
export async function decideIssue(
  db: Db,
  workspaceId: WorkspaceId,
  { submissionId, assetId, issueId }: AssetKey & { issueId: string },
  decision: NewDecision,
): Promise<IssueRow | undefined> {
  // The lock keeps out decisions of the previous version, which does not lock the submission.
  const { rows } = await sql<{ fromStatus: IssueStatus }>`
    select status as "fromStatus" from issues
    where submission_id = ${submissionId} and asset_id = ${assetId} and issue_id = ${issueId}
      and workspace_id = ${workspaceId}
    for update`.execute(db);
  const [issue] = rows;
  if (!issue) return undefined;
  const changed = await sql<IssueRow>`
    with recorded as (
      insert into issue_decisions (
        submission_id, asset_id, issue_id, decision_number, workspace_id, actor_kind, actor_id, decided_at,
        from_status, to_status, reason, note, carries_over, verdict_stored
      )
      select ${submissionId}::uuid, ${assetId}::uuid, ${issueId}::uuid, coalesce(max(decision_number), 0) + 1,
        ${workspaceId}::uuid,
        ${decision.actor.kind}, ${decision.actor.id}::uuid, ${decision.decidedAt}::timestamptz, ${issue.fromStatus},
        ${decision.toStatus}, ${decision.reason}, ${decision.note}, ${decision.carriesOver}::boolean, true
      from issue_decisions
      where submission_id = ${submissionId} and asset_id = ${assetId} and issue_id = ${issueId}
    )
    update issues
    set status = ${decision.toStatus}, status_note = ${decision.note}, status_reason = ${decision.reason},
      status_changed_at = ${decision.decidedAt}, updated_at = ${decision.decidedAt}
    where submission_id = ${submissionId} and asset_id = ${assetId} and issue_id = ${issueId}
      and workspace_id = ${workspaceId}
    returning ${issueColumns}`.execute(db);
  return changed.rows[0];
}

/** Inserts the decisions that a new version inherits from the previous one. */
export async function insertCarriedDecisions(
  db: Db,
  workspaceId: WorkspaceId,
  { submissionId, assetId }: AssetKey,
  decisions: DecisionRow[],
): Promise<void> {
  if (decisions.length === 0) return;
  await sql`
    insert into issue_decisions (
      submission_id, asset_id, workspace_id, issue_id, decision_number, actor_kind, actor_id, decided_at, from_status,
      to_status, reason, note, carries_over, carried_from
    )
    select ${submissionId}::uuid, ${assetId}::uuid, ${workspaceId}::uuid, one.*
    from jsonb_to_recordset(${JSON.stringify(decisions)}::jsonb) as one (
      "issueId" uuid, "decisionNumber" int, "actorKind" text, "actorId" uuid, "decidedAt" timestamptz,
      "fromStatus" text, "toStatus" text, reason text, note text, "carriesOver" boolean, "carriedFrom" jsonb
    )`.execute(db);
}

/** Decisions on one issue, newest first. */
export async function findDecisions(
  db: Db,
  workspaceId: WorkspaceId,
  { submissionId, assetId, issueId }: AssetKey & { issueId: string },
): Promise<DecisionRow[]> {
  const { rows } = await sql<DecisionRow>`
    select ${listColumns(columns)} from issue_decisions
    where submission_id = ${submissionId} and asset_id = ${assetId} and issue_id = ${issueId}
      and workspace_id = ${workspaceId}
    order by decision_number desc limit ${decisionsShownMax}`.execute(db);
  return rows;
}

/** The newest decision on each issue of an asset. */
export async function findNewestDecisions(
  db: Db,
  workspaceId: WorkspaceId,
  { submissionId, assetId }: AssetKey,
): Promise<Map<string, DecisionRow>> {
  const { rows } = await sql<DecisionRow>`
    select distinct on (issue_id) ${listColumns(columns)} from issue_decisions
    where submission_id = ${submissionId} and asset_id = ${assetId} and workspace_id = ${workspaceId}
    order by issue_id, decision_number desc`.execute(db);
  return new Map(rows.map((row) => [row.issueId, row]));
}
