import type { AssetErrorType } from '@assay/contract/asset-failures.ts';
import type { Category } from '@assay/contract/limits.ts';
import type { MatchedBy } from '@assay/contract/schemas/submission.ts';
import { type Selectable, sql } from 'kysely';
import type { Mode, WorkspaceId } from '#call/caller.ts';
import type { pinOf } from '#modules/profiles/find-profile.ts';
import type { DB } from '#platform/postgres/database.generated.ts';
import type { Db } from '#platform/postgres/db.ts';
import { idFloor, timeOfId } from '#platform/postgres/id-floor.ts';
import type { Judgement } from './judgement.ts';
import { pinColumns, pinnedFailOn, type StoredSubmission, selectSubmissions } from './select-store.ts';
import type { AssetState } from './status.ts';
import type { StoredCheck } from './stored-check.ts';
import type { StoredMedia } from './stored-media.ts';

/** The ids of a submission and of its assets are created within milliseconds of each other. */
const idToleranceMillis = 60_000;

export type NewAsset = {
  assetId: string;
  blobId: string;
  filename: string;
  contentType: string;
  category: Category;
  etag: string;
  sizeBytes: number;
  declaredSha256: Buffer | null;
  versionGroupId: string;
  versionNumber: number;
  previousAssetId: string | null;
  matchedBy: MatchedBy | null;
};

export type NewSubmission = {
  submissionId: string;
  mode: Mode;
  sidekickIds: string[] | null;
  pin: ReturnType<typeof pinOf>;
  simulationDelaySeconds: number;
  metadata: object;
  createdAt: Date;
  assets: NewAsset[];
};

/**
 * Inserts a submission, its assets, their versions and its first run in one statement: one round trip, one commit.
 * Inserts nothing and returns false if a blob was purged, or the profile deleted, since they were read.
 */
export async function insertSubmission(db: Db, workspaceId: WorkspaceId, submission: NewSubmission): Promise<boolean> {
  const { submissionId, createdAt, assets, pin } = submission;
  const column = <Name extends keyof NewAsset>(name: Name) => assets.map((asset) => asset[name]);
  const { numAffectedRows } = await sql`
    with kept as materialized (
      select from blobs
      where blob_id = any(${column('blobId')}::uuid[]) and workspace_id = ${workspaceId} and emptied_at is null for share
    ), allowed as materialized (
      select where (select count(*) from kept) = ${assets.length}
        -- The revisions of a deleted profile are removed once no submission refers to them.
        and (${pin.profile_id}::uuid is null or exists (
          select from profiles
          where profile_id = ${pin.profile_id}::uuid and workspace_id = ${workspaceId} and deleted_at is null
        ))
    ), new_assets as (
      insert into assets (
        submission_id, workspace_id, created_at, position, asset_id, blob_id, filename, content_type, category, etag,
        size_bytes, declared_sha256, version_group_id, version_number, previous_asset_id, matched_by
      )
      select ${submissionId}::uuid, ${workspaceId}::uuid, ${createdAt}::timestamptz, position, asset_id, blob_id, filename,
        content_type, category, etag, size_bytes, declared_sha256, version_group_id, version_number, previous_asset_id,
        matched_by
      from allowed, unnest(
        ${column('assetId')}::uuid[], ${column('blobId')}::uuid[], ${column('filename')}::text[],
        ${column('contentType')}::text[], ${column('category')}::text[], ${column('etag')}::text[],
        ${column('sizeBytes')}::bigint[], ${column('declaredSha256')}::bytea[], ${column('versionGroupId')}::uuid[],
        ${column('versionNumber')}::int[],
        ${column('previousAssetId')}::uuid[], ${column('matchedBy')}::text[]
      ) with ordinality as given (
        asset_id, blob_id, filename, content_type, category, etag, size_bytes, declared_sha256, version_group_id,
        version_number, previous_asset_id, matched_by, position
      )
      returning submission_id, asset_id, workspace_id, version_group_id, version_number
    ), new_groups as (
      insert into version_groups (version_group_id, workspace_id)
      select version_group_id, workspace_id from new_assets where version_number = 1
    ), new_versions as (
      insert into asset_versions (version_group_id, version_number, workspace_id, submission_id, asset_id)
      select version_group_id, version_number, workspace_id, submission_id, asset_id from new_assets
    ), new_run as (
      insert into runs_to_start (submission_id, run, workspace_id, created_at)
      select ${submissionId}::uuid, 1, ${workspaceId}::uuid, ${createdAt}::timestamptz from allowed
    )
    insert into submissions (
      submission_id, workspace_id, mode, status, sidekick_ids, profile, profile_id, built_in_profile_id,
      profile_revision, fail_on, allow_incomplete, simulation_delay_seconds, metadata, created_at
    )
    select ${submissionId}::uuid, ${workspaceId}::uuid, ${submission.mode}, 'submitted', ${submission.sidekickIds}::uuid[],
      ${pin.profile}, ${pin.profile_id}::uuid, ${pin.built_in_profile_id}::uuid, ${pin.profile_revision}::int,
      ${pin.fail_on}, ${pin.allow_incomplete}::text[],
      ${submission.simulationDelaySeconds}::int, ${JSON.stringify(submission.metadata)}::jsonb, ${createdAt}::timestamptz
    from allowed`.execute(db);
  return numAffectedRows === 1n;
}

/** Allocates the next version number of each group. Groups are locked in the order of ids to avoid deadlocks. */
export async function allocateVersionNumbers(db: Db, workspaceId: WorkspaceId, groupIds: string[]) {
  const { rows } = await sql<{ versionGroupId: string; versionNumber: number }>`
    update version_groups set last_version_number = last_version_number + 1
    from (
      select version_group_id as id from version_groups
      where version_group_id = any(${groupIds}::uuid[]) and workspace_id = ${workspaceId}
      order by version_group_id for update
    ) as locked
    where version_group_id = locked.id
    returning version_group_id as "versionGroupId", last_version_number as "versionNumber"`.execute(db);
  return new Map(rows.map(({ versionGroupId, versionNumber }) => [versionGroupId, versionNumber]));
}

/** Allocates reference numbers and returns the first. The group stays locked until the transaction ends. */
export async function allocateReferenceNumbers(
  db: Db,
  workspaceId: WorkspaceId,
  versionGroupId: string,
  count: number,
): Promise<number> {
  const { last } = await db
    .updateTable('version_groups')
    .set((eb) => ({ last_reference_number: eb('last_reference_number', '+', count) }))
    .where('version_group_id', '=', versionGroupId)
    .where('workspace_id', '=', workspaceId)
    .returning('last_reference_number as last')
    .executeTakeFirstOrThrow();
  return last - count + 1;
}

/** The newest earlier version with results, with which new findings are compared. Simulated runs have no results. */
export async function findPreviousVersion(
  db: Db,
  workspaceId: WorkspaceId,
  { versionGroupId, versionNumber }: { versionGroupId: string; versionNumber: number },
) {
  const { rows } = await sql<{
    submissionId: string;
    assetId: string;
    versionNumber: number;
    contentSha256: Buffer | null;
  }>`
    select v.submission_id as "submissionId", v.asset_id as "assetId", v.version_number as "versionNumber",
      a.content_sha256 as "contentSha256"
    from asset_versions v join assets a on a.submission_id = v.submission_id and a.asset_id = v.asset_id
    where v.version_group_id = ${versionGroupId} and v.version_number < ${versionNumber}
      and v.workspace_id = ${workspaceId} and a.status = 'complete' and a.issue_count is not null
    order by v.version_number desc
    limit 1`.execute(db);
  return rows[0];
}

export async function findSubmission(db: Db, workspaceId: WorkspaceId, submissionId: string) {
  return await selectSubmissions(db, sql<Selectable<DB['submissions']>>`submissions`.as('s'))
    .where('s.submission_id', '=', submissionId)
    .where('s.workspace_id', '=', workspaceId)
    .executeTakeFirst();
}

export type Revision = Pick<StoredSubmission, 'revision' | 'run' | 'status'>;

/** Reads values that differ after every change of a submission that a caller can see. */
export async function findRevision(
  db: Db,
  workspaceId: WorkspaceId,
  submissionId: string,
): Promise<Revision | undefined> {
  const { rows } = await sql<Revision>`
    select revision, run, status from submissions
    where submission_id = ${submissionId} and workspace_id = ${workspaceId}`.execute(db);
  return rows[0];
}

export type VersionRow = Awaited<ReturnType<typeof listVersions>>[number];

export async function listVersions(
  db: Db,
  workspaceId: WorkspaceId,
  submissionId: string,
  after: { versionGroupId: string; versionNumber: number } | undefined,
  limit: number,
) {
  return await db
    .selectFrom('asset_versions as v')
    .innerJoin('assets as a', (join) =>
      join.onRef('a.submission_id', '=', 'v.submission_id').onRef('a.asset_id', '=', 'v.asset_id'),
    )
    .innerJoin('submissions as s', 's.submission_id', 'v.submission_id')
    .select(['v.version_group_id', 'v.version_number', 'v.submission_id', 's.mode', 'v.asset_id', 'a.filename'])
    .select(['a.status', 'a.issue_count', 'a.judgement', 'a.created_at', 'a.completed_at'])
    .$narrowType<{ mode: Mode; status: AssetState['status']; judgement: Judgement | null }>()
    .where('v.workspace_id', '=', workspaceId)
    .where('v.version_group_id', 'in', (eb) =>
      eb
        .selectFrom('assets')
        .select('version_group_id')
        .where('submission_id', '=', submissionId)
        .where('workspace_id', '=', workspaceId),
    )
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb(
          eb.refTuple('v.version_group_id', 'v.version_number'),
          '>',
          eb.tuple(after?.versionGroupId as string, after?.versionNumber as number),
        ),
      ),
    )
    .orderBy('v.version_group_id')
    .orderBy('v.version_number')
    .limit(limit)
    .execute();
}

export type AssetRow = NonNullable<Awaited<ReturnType<typeof findAsset>>>;

/** An asset with columns of its submission. */
export async function findAsset(db: Db, workspaceId: WorkspaceId, submissionId: string, assetId: string) {
  return await db
    .selectFrom('submissions as s')
    .innerJoin('assets as a', 'a.submission_id', 's.submission_id')
    .select(['s.submission_id', 's.mode', 's.sidekick_ids', ...pinColumns, pinnedFailOn])
    .select(['a.asset_id', 'a.blob_id', 'a.filename', 'a.content_type', 'a.etag', 'a.size_bytes', 'a.declared_sha256'])
    .select(['a.version_group_id', 'a.version_number', 'a.status', 'a.attempt', 'a.run', 'a.restart_count'])
    .select(['a.progress_percent', 'a.issue_count', 'a.error_type', 'a.content_sha256', 'a.created_at'])
    .select('a.completed_at')
    .select((eb) => [
      eb.ref('s.metadata').$castTo<Record<string, unknown>>().as('metadata'),
      eb.ref('a.checks').$castTo<StoredCheck[]>().as('checks'),
      eb.ref('a.judgement').$castTo<Judgement | null>().as('judgement'),
      eb.ref('a.topics').$castTo<object | null>().as('topics'),
      eb.ref('a.media').$castTo<StoredMedia | null>().as('media'),
    ])
    .$narrowType<{ mode: Mode; status: AssetState['status']; error_type: AssetErrorType | null }>()
    .where('s.submission_id', '=', submissionId)
    .where('s.workspace_id', '=', workspaceId)
    .where('a.submission_id', '=', submissionId)
    .where('a.asset_id', '=', assetId)
    .executeTakeFirst();
}

/**
 * An asset by its id alone, for the operator. Its id and that of its submission are UUIDv7 of the same moment, so only
 * one or two monthly partitions are searched.
 */
export async function findAssetOfAnyWorkspace(db: Db, assetId: string) {
  const createdMillis = timeOfId(assetId).getTime();
  return await db
    .selectFrom('assets as a')
    .innerJoin('submissions as s', 's.submission_id', 'a.submission_id')
    .select(['a.asset_id', 'a.submission_id', 'a.workspace_id', 's.mode', 'a.category', 'a.size_bytes', 'a.status'])
    .select(['a.attempt', 'a.run', 'a.restart_count', 'a.error_type', 'a.created_at', 'a.completed_at'])
    .$narrowType<{
      workspace_id: WorkspaceId;
      mode: Mode;
      category: Category;
      status: AssetState['status'];
      error_type: AssetErrorType | null;
    }>()
    .where('a.asset_id', '=', assetId)
    .where('a.submission_id', '>=', idFloor(new Date(createdMillis - idToleranceMillis)))
    .where('a.submission_id', '<', idFloor(new Date(createdMillis + idToleranceMillis)))
    .executeTakeFirst();
}
