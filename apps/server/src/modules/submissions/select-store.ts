import type { AssetErrorType } from '@assay/contract/asset-failures.ts';
import type { Severity } from '@assay/contract/schemas/severity.ts';
import type { MatchedBy } from '@assay/contract/schemas/submission.ts';
import { type AliasedRawBuilder, type Selectable, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Mode } from '#call/caller.ts';
import type { DB } from '#platform/postgres/database.generated.ts';
import type { Db } from '#platform/postgres/db.ts';
import type { Judgement } from './judgement.ts';
import type { AssetState } from './status.ts';

export type StoredSubmission = Awaited<ReturnType<ReturnType<typeof selectSubmissions>['execute']>>[number];
export type StoredAsset = StoredSubmission['assets'][number];

export const pinColumns = [
  's.profile',
  's.profile_id',
  's.built_in_profile_id',
  's.profile_revision',
  's.allow_incomplete',
] as const;
/** Null if a previous version pinned a built-in profile. */
export const pinnedFailOn = sql<Severity | null>`coalesce(s.fail_on, (
  select r.fail_on from profile_revisions r where r.profile_id = s.profile_id and r.revision = s.profile_revision
))`.as('fail_on');

/**
 * One row per submission, with its assets in order. The assets are JSON, so that metadata of many kilobytes is not
 * repeated for each of them.
 */
export function selectSubmissions(db: Db, submissions: AliasedRawBuilder<Selectable<DB['submissions']>, 's'>) {
  return db
    .selectFrom(submissions)
    .select(['s.submission_id', 's.workspace_id', 's.mode', 's.run', 's.revision', 's.status', 's.created_at'])
    .select(['s.completed_at', ...pinColumns, pinnedFailOn])
    .select((eb) => [
      eb.ref('s.metadata').$castTo<Record<string, unknown>>().as('metadata'),
      jsonArrayFrom(
        eb
          .selectFrom('assets as a')
          .select(['a.asset_id', 'a.filename', 'a.version_group_id', 'a.version_number', 'a.previous_asset_id'])
          .select(['a.matched_by', 'a.status', 'a.progress_percent', 'a.issue_count', 'a.error_type', 'a.attempt'])
          .select(['a.revision', 'a.judgement'])
          .$narrowType<{
            judgement: Judgement | null;
            matched_by: MatchedBy | null;
            status: AssetState['status'];
            error_type: AssetErrorType | null;
          }>()
          .whereRef('a.submission_id', '=', 's.submission_id')
          .orderBy('a.position'),
      ).as('assets'),
    ])
    .$narrowType<{ mode: Mode; status: AssetState['status'] }>();
}
