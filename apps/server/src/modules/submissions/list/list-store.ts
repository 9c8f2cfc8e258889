import type { Status } from '@assay/contract/schemas/submission.ts';
import type { Verdict } from '@assay/contract/verdict.ts';
import { type Selectable, sql } from 'kysely';
import type { Mode, WorkspaceId } from '#call/caller.ts';
import type { DB } from '#platform/postgres/database.generated.ts';
import type { Db } from '#platform/postgres/db.ts';
import { type StoredSubmission, selectSubmissions } from '../select-store.ts';

export type SubmissionFilter = {
  modes: Mode[];
  statuses: Status[];
  verdicts?: Verdict[] | undefined;
  /** The name of a built-in profile or the id of an own one. */
  profileKey?: string | undefined;
  clientReference?: string | undefined;
  /** Inclusive lower bound and exclusive upper bound of the ids. */
  fromId: string | undefined;
  beforeId: string | undefined;
  limit: number;
};

const withinIds = ({ fromId, beforeId }: Pick<SubmissionFilter, 'fromId' | 'beforeId'>) => sql`
  ${fromId ? sql`and submission_id >= ${fromId}` : sql``}
  ${beforeId ? sql`and submission_id < ${beforeId}` : sql``}`;

const sameProfile = (key: string) => sql`coalesce(profile_id::text, profile) = ${key}`;
const sameReference = (reference: string) => sql`
  jsonb_typeof(metadata -> 'clientReference') = 'string' and metadata ->> 'clientReference' = ${reference}`;

/** The first condition of a list: exactly as in the index that suits the filter best. */
function indexed(workspaceId: WorkspaceId, { profileKey, clientReference }: SubmissionFilter) {
  const key = (value: string) => sql`${workspaceId}::uuid::text || ' ' || wanted_mode || ' ' || ${value}::text`;
  if (clientReference !== undefined)
    return sql`workspace_id::text || ' ' || mode || ' ' || left(metadata ->> 'clientReference', 200)
      = ${key(clientReference)} and ${sameReference(clientReference)}
      ${profileKey === undefined ? sql`` : sql`and ${sameProfile(profileKey)}`}`;
  if (profileKey !== undefined)
    return sql`workspace_id::text || ' ' || mode || ' ' || coalesce(profile_id::text, profile) = ${key(profileKey)}`;
  return sql`workspace_id = ${workspaceId} and mode = wanted_mode`;
}

/** Newest first. */
export async function listSubmissions(
  db: Db,
  workspaceId: WorkspaceId,
  filter: SubmissionFilter,
): Promise<StoredSubmission[]> {
  const { modes, statuses, verdicts, limit } = filter;
  // Each mode, status and verdict is read from its own range of an index, so that a rare one does not scan the others.
  const page = sql<Selectable<DB['submissions']>>`(
    select one.* from unnest(${modes}::text[]) as a (wanted_mode)
    cross join unnest(${statuses}::text[]) as b (wanted_status)
    ${verdicts ? sql`cross join unnest(${verdicts}::text[]) as c (wanted_verdict)` : sql``}
    cross join lateral (
      select * from submissions
      where ${indexed(workspaceId, filter)} and status = wanted_status
        ${verdicts ? sql`and verdict = wanted_verdict` : sql``} ${withinIds(filter)}
      order by submission_id desc limit ${limit}
    ) as one
    order by submission_id desc limit ${limit}
  )`;
  return await selectSubmissions(db, page.as('s')).orderBy('s.submission_id', 'desc').execute();
}

/** Where a page of submissions ended that are ordered by file name. */
export type NamePosition = { name: string; submissionId: string };

export type NameFilter = Pick<SubmissionFilter, 'modes' | 'fromId' | 'beforeId' | 'limit'> & {
  filenamePrefix: string;
  after: NamePosition | undefined;
};

/** As in the index `assets_by_filename`. */
const nameOf = (table: string) => sql`lower(normalize(${sql.ref(`${table}.filename`)})) collate "C"`;
const lastCharacter = '\u{10ffff}';

/**
 * Ordered by file name, then newest first: from one range of the index, whatever the number of names that begin so. A
 * submission with several such files is listed once, at the first name.
 */
export async function listSubmissionsByFilename(
  db: Db,
  workspaceId: WorkspaceId,
  filter: NameFilter,
): Promise<(StoredSubmission & { sortedBy: string })[]> {
  const { modes, filenamePrefix, after, limit } = filter;
  const first = sql`lower(normalize(${filenamePrefix}::text))`;
  const last = sql`lower(normalize(${filenamePrefix}::text)) || ${lastCharacter}::text`;
  // Scalar queries, which PostgreSQL does not turn into joins: it then reads in the order of the index, and only as far as
  // needed.
  const read = (range: ReturnType<typeof sql>) => sql`(
    select a.submission_id, ${nameOf('a')} as name from assets a
    where a.workspace_id = ${workspaceId} ${range}
      ${filter.fromId ? sql`and a.submission_id >= ${filter.fromId}` : sql``}
      ${filter.beforeId ? sql`and a.submission_id < ${filter.beforeId}` : sql``}
      and (
        select true from assets other
        where other.submission_id = a.submission_id
          and ${nameOf('other')} >= ${first} and ${nameOf('other')} < ${last}
          and (${nameOf('other')}, other.asset_id) < (${nameOf('a')}, a.asset_id)
        limit 1
      ) is null
      and (
        select s.mode = any(${modes}::text[])
        from submissions s where s.submission_id = a.submission_id
      )
    order by name, a.submission_id desc limit ${limit}
  )`;
  // Equal names are a range of their own, so that a page deep in them starts where the one before ended.
  const found = after
    ? sql`
        select * from ${read(sql`and ${nameOf('a')} = ${after.name} and a.submission_id < ${after.submissionId}`)} as same
        union all
        select * from ${read(sql`and ${nameOf('a')} > ${after.name} and ${nameOf('a')} < ${last}`)} as next`
    : sql`select * from ${read(sql`and ${nameOf('a')} >= ${first} and ${nameOf('a')} < ${last}`)} as next`;
  const page = sql<Selectable<DB['submissions']>>`(
    select one.*, found.name as sorted_by from (
      select * from (${found}) as both_ranges order by name, submission_id desc limit ${limit}
    ) as found
    cross join lateral (
      select * from submissions where submission_id = found.submission_id and workspace_id = ${workspaceId}
    ) as one
  )`;
  return await selectSubmissions(db, page.as('s'))
    .select(sql<string>`s.sorted_by`.as('sortedBy'))
    .orderBy(sql`s.sorted_by`)
    .orderBy('s.submission_id', 'desc')
    .execute();
}
