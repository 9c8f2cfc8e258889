import type {
  DecisionReason,
  IssueEvidenceFrame,
  IssueStatus,
  Location,
  Precedent,
  PreviousDecision,
  Standard,
} from '@assay/contract/schemas/issue.ts';
import type { Severity } from '@assay/contract/schemas/severity.ts';
import type { FindingWithRule } from '@assay/sidekicks/sidekick/sidekick.ts';
import { sql } from 'kysely';
import type { WorkspaceId } from '#call/caller.ts';
import { listColumns, type RowOf } from '#platform/postgres/columns.ts';
import type { DB } from '#platform/postgres/database.generated.ts';
import type { Db } from '#platform/postgres/db.ts';

/** Refers to a still image, whose bytes `evidence-store.ts` stores. */
export type StillReference = { stillId: string; timeMs: number; frames?: IssueEvidenceFrame[] };

export type AssetKey = { submissionId: string; assetId: string };

/** A finding whose stills are stored separately. */
export type StoredFinding = FindingWithRule & { evidence: StillReference[] };

const columns = [
  'issue_id as issueId',
  'reference_number as referenceNumber',
  'rule_code as ruleCode',
  'subject',
  'sidekick_id as sidekickId',
  'summary',
  'severity',
  'severity_reasoning as severityReasoning',
  'severity_reasoning_headline as severityReasoningHeadline',
  'status',
  'status_note as statusNote',
  'status_reason as statusReason',
  'status_changed_at as statusChangedAt',
  'previous_decision as previousDecision',
  'confidence',
  'measured',
  'limit_value as limitValue',
  'unit',
  'standard',
  'precedents',
  'locations',
  'evidence',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const;
export const issueColumns = listColumns(columns);

/** Previous versions stored a standard without saying whether it was read. */
type StoredStandard = Omit<Standard, 'isVerified'> & Partial<Pick<Standard, 'isVerified'>>;

export type IssueRow = RowOf<
  Pick<DB, 'issues'>,
  typeof columns,
  {
    severity: Severity;
    status: IssueStatus;
    statusReason: DecisionReason | null;
    previousDecision: PreviousDecision | null;
    standard: StoredStandard | null;
    precedents: readonly Precedent[];
    locations: Location[];
    evidence: StillReference[];
  }
>;

export async function insertIssues(
  db: Db,
  workspaceId: WorkspaceId,
  { submissionId, assetId }: AssetKey,
  issues: IssueRow[],
): Promise<void> {
  if (issues.length === 0) return;
  await sql`
    insert into issues (
      submission_id, asset_id, workspace_id, issue_id, reference_number, rule_code, subject, sidekick_id, summary,
      severity, severity_reasoning, severity_reasoning_headline, status, status_note, status_reason,
      status_changed_at, previous_decision, confidence, measured, limit_value, unit, standard, precedents, locations, evidence, created_at, updated_at
    )
    select ${submissionId}::uuid, ${assetId}::uuid, ${workspaceId}::uuid, one.*
    from jsonb_to_recordset(${JSON.stringify(issues)}::jsonb) as one (
      "issueId" uuid, "referenceNumber" int, "ruleCode" text, subject text, "sidekickId" uuid, summary text,
      severity text, "severityReasoning" text, "severityReasoningHeadline" text, status text, "statusNote" text,
      "statusReason" text, "statusChangedAt" timestamptz, "previousDecision" jsonb, confidence double precision, measured double precision,
      "limitValue" double precision, unit text, standard jsonb, precedents jsonb, locations jsonb, evidence jsonb,
      "createdAt" timestamptz, "updatedAt" timestamptz
    )`.execute(db);
}

/** All issues of an asset, ordered by reference number. They always fit on one page. */
export async function findIssues(db: Db, workspaceId: WorkspaceId, key: AssetKey): Promise<IssueRow[]> {
  const { rows } = await sql<IssueRow>`
    select ${issueColumns} from issues
    where submission_id = ${key.submissionId} and asset_id = ${key.assetId} and workspace_id = ${workspaceId}
    order by reference_number`.execute(db);
  return rows;
}

/** What the verdict on an asset depends on. */
export async function findJudgedIssues(db: Db, workspaceId: WorkspaceId, key: AssetKey) {
  const { rows } = await sql<Pick<IssueRow, 'ruleCode' | 'severity' | 'status' | 'statusChangedAt'>>`
    select rule_code as "ruleCode", severity, status, status_changed_at as "statusChangedAt" from issues
    where submission_id = ${key.submissionId} and asset_id = ${key.assetId} and workspace_id = ${workspaceId}`.execute(
    db,
  );
  return rows;
}

export async function findIssue(
  db: Db,
  workspaceId: WorkspaceId,
  key: AssetKey,
  issueId: string,
): Promise<IssueRow | undefined> {
  const { rows } = await sql<IssueRow>`
    select ${issueColumns} from issues
    where submission_id = ${key.submissionId} and asset_id = ${key.assetId} and issue_id = ${issueId}
      and workspace_id = ${workspaceId}`.execute(db);
  return rows[0];
}

export type IssueFilter = {
  severities: Severity[] | undefined;
  statuses: IssueStatus[] | undefined;
  sidekickIds: string[] | undefined;
  ruleCodes: string[] | undefined;
};

export async function pageIssues(
  db: Db,
  workspaceId: WorkspaceId,
  key: AssetKey,
  filter: IssueFilter,
  { afterNumber, limit }: { afterNumber: number; limit: number },
): Promise<{ rows: IssueRow[]; totalCount: number }> {
  const isAny = (column: string, values: string[] | undefined, type: string) =>
    values ? sql`and ${sql.ref(column)} = any(${values}::${sql.raw(type)}[])` : sql``;
  const matching = sql`
    from issues
    where submission_id = ${key.submissionId} and asset_id = ${key.assetId} and workspace_id = ${workspaceId}
      ${isAny('severity', filter.severities, 'text')} ${isAny('status', filter.statuses, 'text')}
      ${isAny('sidekick_id', filter.sidekickIds, 'uuid')} ${isAny('rule_code', filter.ruleCodes, 'text')}`;
  const [page, total] = await Promise.all([
    sql<IssueRow>`
      select ${issueColumns} ${matching} and reference_number > ${afterNumber}
      order by reference_number limit ${limit}`.execute(db),
    sql<{ count: string }>`select count(*) ${matching}`.execute(db),
  ]);
  return { rows: page.rows, totalCount: Number(total.rows[0]?.count) };
}

/**
 * Deletes the results of a deleted submission. As long as a submission exists, its decisions are append-only; the service
 * may remove them only with this function.
 */
export async function removeResultRows(db: Db, workspaceId: WorkspaceId, submissionId: string): Promise<void> {
  await sql`
    with gone_issues as (
      delete from issues where submission_id = ${submissionId} and workspace_id = ${workspaceId}
    ), gone_stills as (
      delete from stills where submission_id = ${submissionId} and workspace_id = ${workspaceId}
    ), gone_measurements as (
      delete from measurements where submission_id = ${submissionId} and workspace_id = ${workspaceId}
    )
    select remove_decisions(${workspaceId}, ${submissionId})`.execute(db);
}
