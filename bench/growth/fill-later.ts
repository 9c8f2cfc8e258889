import { findBuiltIn } from '@assay/server/modules/profiles/built-in.ts';
import type pg from 'pg';
import { contents } from './fill.ts';

const general = findBuiltIn('general');
const quote = (value: unknown) => `'${JSON.stringify(value).replaceAll("'", "''")}'::jsonb`;
/** Not that of the issues: nothing in the bench reads it. */
const judgement = {
  verdict: 'failed',
  severityCounts: { critical: 1, major: 1, minor: 1, info: 1 },
  statusCounts: { open: 4, acknowledged: 0, awaitingHumanInput: 0, resolved: 0, dismissed: 0 },
  blockingCount: 2,
  reviewCount: 0,
  waivedCount: 0,
};
const profilesOfBig = 50;
const revisions = 3;

/** Fills the tables that the first version did not have, from the rows of `made`. */
const statements = [
  `insert into examination_tries (submission_id, asset_id, attempt, try_id, workspace_id, worker_id, is_suspect,
      ended_by, started_at)
    select submission_id, asset_id, 1, made_id(at, 11, n), workspace_id, made_id(at, 12, n % 7), false, 'file', at
    from made where status = 'failed' order by n`,
  `insert into measurements (submission_id, asset_id, workspace_id, duration_ms, series)
    select submission_id, asset_id, workspace_id, 30000, '[]' from made
    where status = 'complete' and n % 10 = 0 and at > now() - interval '${contents.newestMonths} months' order by n`,
  `insert into stills (submission_id, asset_id, still_id, workspace_id, jpeg)
    select submission_id, asset_id, made_id(at, 13, n), workspace_id, decode(repeat('ff', 20000), 'hex') from made
    where status = 'complete' and n % 100 = 0 and at > now() - interval '${contents.newestMonths} months' order by n`,
  `insert into profiles (profile_id, workspace_id, name, latest_revision, created_with, created_at, updated_at,
      deleted_at)
    select made_id(w.created_at, 14, k * 100 + i), w.workspace_id, 'profile-' || i, ${revisions}, 'live',
      w.created_at, w.created_at, case when i = 2 then w.created_at end
    from (select *, row_number() over (order by workspace_id) - 1 as k from workspaces) w,
      generate_series(1, ${profilesOfBig}) i
    where k = 0 or (k % 10 = 0 and i <= 3)`,
  `insert into profile_revisions (profile_id, revision, workspace_id, name, document, resolved, fail_on, extends_id,
      extends_name, extends_revision, depth, created_at)
    select profile_id, r, workspace_id, name, ${quote(general?.document)}, ${quote(general?.resolved)}, 'CRITICAL',
      '${general?.profileId}', 'general', 1, 1, created_at
    from profiles, generate_series(1, ${revisions}) r`,
  `insert into idempotency_keys (workspace_id, route, key, fingerprint, answer, created_at)
    select workspace_id, 'POST /submissions', n::text, '\\x00', '{}', at from made
    where at > now() - interval '1 day' or n % 5 = 0 and n > (select max(n) - 2000 from made) order by n`,
  `insert into runs_to_start (submission_id, run, workspace_id, created_at)
    select submission_id, 1, workspace_id, at from made order by n desc limit ${contents.unfinished / 2}`,
  `insert into runs_to_cancel (submission_id, run, created_at)
    select submission_id, 2, at from made order by n desc limit ${contents.unfinished / 4}`,
  `insert into examinations (submission_id, asset_id, attempt, workspace_id, content_sha256, checks, findings)
    select submission_id, asset_id, 1, workspace_id, sha256('x'), '[]', '[]' from made
    order by n desc limit ${contents.unfinished}`,
  // Older ones are left to the job that stores verdicts.
  `update submissions s set verdict = case made.status when 'failed' then 'not_checked'
      else (array['failed', 'needs_review', 'passed', 'passed'])[1 + n % 4] end
    from made where s.submission_id = made.submission_id and made.status in ('complete', 'failed')
      and made.mode = 'live' and at > now() - interval '${contents.newestMonths} months'`,
  `update assets a set judgement = ${quote(judgement)}
    from made where a.submission_id = made.submission_id and made.status = 'complete'
      and made.mode = 'live' and at > now() - interval '${contents.newestMonths} months'`,
  `insert into submissions_to_judge (submission_id, workspace_id)
    select submission_id, workspace_id from made where status = 'complete' order by n desc limit ${contents.unfinished}`,
];

export async function fillLater(superuser: pg.Client): Promise<void> {
  await superuser.query('set session_replication_role = replica');
  for (const statement of statements) await superuser.query(statement);
  await superuser.query('reset session_replication_role');
}
