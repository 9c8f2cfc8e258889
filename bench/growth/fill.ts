import type pg from 'pg';

/** What a database of the bench contains. Both have the same months, workspaces and waiting work. */
export const contents = {
  months: 18,
  workspaces: 2000,
  /** Every fifth submission is of the first workspace. */
  bigShare: 5,
  /** Issues, events and deliveries of older submissions have been removed. */
  newestMonths: 2,
  issuesPerAsset: 4,
  bigSubscriptions: 3,
  /** The newest submissions that are still in progress, whatever the size. */
  unfinished: 200,
  /** The newest submissions, part of whose deliveries are pending. */
  delivering: 400,
} as const;

const checks = JSON.stringify([
  { sidekickId: '00000000-0000-4000-8000-000000000001', version: '1.0.0', outcome: 'passed', profile: 'general' },
  { sidekickId: '00000000-0000-4000-8000-000000000002', version: '1.0.0', outcome: 'issues', profile: 'general' },
]);
const topics = JSON.stringify({ topics: [], summary: 'Four issues in this file.' });

/** The SQL of the ids: UUIDv7 of this time, with the kind of the row and its number. */
const functions = `
  create function made_id(moment timestamptz, kind int, n bigint) returns uuid language sql immutable parallel safe as $$
    select (lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(kind), 3, '0') || '8'
      || lpad(to_hex(n), 15, '0'))::uuid
  $$`;

const workspaceTime = `timestamptz '2025-01-01 00:00Z'`;

/** One row per submission, from which all tables are filled. */
const made = (submissions: number) => `
  create unlogged table made as
  with span as (
    select date_trunc('month', now()) - interval '${contents.months - 1} months' as first,
      (now() - interval '10 minutes' - (date_trunc('month', now()) - interval '${contents.months - 1} months'))
        / ${submissions} as step
  ), numbered as (
    select n, first + n * step as at,
      case when n % 20 = 10 then n - 10 else n end as first_version, first, step,
      case when n % ${contents.bigShare} = 0 then 0 else 1 + (n * 7919) % ${contents.workspaces - 1} end as k
    from span, generate_series(1::bigint, ${submissions}) n
  )
  select n, at, k, made_id(${workspaceTime}, 0, k) as workspace_id,
    made_id(at, 1, n) as submission_id, made_id(at, 2, n) as asset_id, made_id(at, 3, n) as blob_id,
    made_id(first + first_version * step, 4, first_version) as version_group_id,
    case when n % 20 = 10 and n > 10 then 2 else 1 end as version_number,
    case when (n / 5) % 10 = 9 then 'sandbox' else 'live' end as mode,
    case when n > ${submissions - contents.unfinished} then 'processing'
      when (n / 5) % 10 = 3 then 'failed' else 'complete' end as status
  from numbered`;

const isNew = `at > now() - interval '${contents.newestMonths} months'`;
const isFinished = `status in ('complete', 'failed')`;
const completedAt = `case when ${isFinished} then at + interval '30 seconds' end`;

const tables: Record<string, string> = {
  workspaces: `
    insert into workspaces (workspace_id, name, tier, created_at)
    select made_id(${workspaceTime}, 0, k), 'workspace ' || k, case when k = 0 then 'enterprise' else 'pro' end,
      ${workspaceTime}
    from generate_series(0, ${contents.workspaces - 1}) k`,
  keys: `
    insert into api_keys (key_id, workspace_id, mode, hmac, prefix, last_four, created_at)
    select made_id(${workspaceTime}, 5, 2 * k + m), made_id(${workspaceTime}, 0, k),
      case when m = 0 then 'live' else 'sandbox' end, sha256((k || ' ' || m)::bytea), 'key', '0000', ${workspaceTime}
    from generate_series(0, ${contents.workspaces - 1}) k, generate_series(0, 1) m`,
  blobs: `
    insert into blobs (blob_id, workspace_id, filename, content_type, account, container, created_at, next_look_at,
      emptied_at)
    select blob_id, workspace_id, 'spot-' || n || '.mp4', 'video/mp4', 'account', 'media', at,
      case when at < now() - interval '90 days' then 'infinity' else at + interval '91 days' end,
      case when at < now() - interval '90 days' then at + interval '90 days' end
    from made order by n`,
  groups: `
    insert into version_groups (version_group_id, workspace_id, last_version_number, last_reference_number)
    select version_group_id, workspace_id, max(version_number), ${contents.issuesPerAsset} * max(version_number)
    from made group by version_group_id, workspace_id order by version_group_id`,
  submissions: `
    insert into submissions (submission_id, workspace_id, mode, status, profile, metadata, created_at, completed_at)
    select submission_id, workspace_id, mode, status, 'general',
      jsonb_build_object('clientReference', 'campaign-' || n % 1000), at, ${completedAt}
    from made order by n`,
  assets: `
    insert into assets (submission_id, asset_id, workspace_id, position, blob_id, filename, content_type, category,
      etag, size_bytes, version_group_id, version_number, status, progress_percent, issue_count, error_type,
      content_sha256, checks, topics, created_at, completed_at)
    select submission_id, asset_id, workspace_id, 1, blob_id, 'spot-' || n || '.mp4', 'video/mp4',
      (array['video', 'audio', 'image', 'document'])[1 + n % 4], '0x8DC' || n, 25000000 + n % 1000,
      version_group_id, version_number, status, case status when 'complete' then 100 else 40 end,
      case status when 'complete' then ${contents.issuesPerAsset} end,
      case status when 'failed' then 'unsupported_codec' end, sha256(n::text::bytea), '${checks}'::jsonb,
      case status when 'complete' then '${topics}'::jsonb end, at, ${completedAt}
    from made order by n`,
  versions: `
    insert into asset_versions (version_group_id, version_number, workspace_id, submission_id, asset_id)
    select version_group_id, version_number, workspace_id, submission_id, asset_id from made order by version_group_id`,
  credits: `
    insert into credit_entries (workspace_id, asset_id, attempt, credits, created_at)
    select workspace_id, asset_id, 1, 1, at from made where mode = 'live' and status = 'complete' order by n`,
  issues: `
    insert into issues (submission_id, asset_id, issue_id, workspace_id, reference_number, rule_code, subject,
      sidekick_id, summary, severity, severity_reasoning, severity_reasoning_headline, status, status_note,
      status_changed_at, confidence, measured, limit_value, unit, precedents, locations, created_at, updated_at)
    select submission_id, asset_id, made_id(at, 32 + i, n), workspace_id, i, 'LOUD-00' || i, 'subject ' || i,
      made_id(${workspaceTime}, 6, i), 'The programme loudness is -18.8 LUFS; the limit is -23.0 LUFS.',
      (array['CRITICAL', 'MAJOR', 'MINOR', 'INFO'])[i], 'A loudness above the limit is heard as too loud.',
      'Above the limit', case when n % 20 = 0 and i = 1 then 'DISMISSED' else 'OPEN' end,
      case when n % 20 = 0 and i = 1 then 'Accepted by the client.' end,
      case when n % 20 = 0 and i = 1 then at + interval '1 hour' end, 0.9, -18.8, -23, 'LUFS', '[]',
      '[{"kind": "temporal", "startMs": 1000, "endMs": 2000}]', at, at
    from made, generate_series(1, ${contents.issuesPerAsset}) i
    where status = 'complete' and ${isNew} order by n`,
  subscriptions: `
    insert into subscriptions (subscription_id, workspace_id, url, event_types, mode, secret, created_at, updated_at)
    select made_id(${workspaceTime}, 7 + s, k), made_id(${workspaceTime}, 0, k), 'https://example.com/hook',
      array['asset.processing.completed', 'asset.processing.failed'], 'all', '\\x00', ${workspaceTime}, ${workspaceTime}
    from generate_series(0, ${contents.workspaces - 1}) k, generate_series(0, ${contents.bigSubscriptions - 1}) s
    where (k = 0 or s = 0) and k % 2 = 0`,
  events: `
    insert into events (event_id, workspace_id, type, livemode, submission_id, asset_id, body)
    select made_id(at, 10, n), workspace_id, ${eventType()}, mode = 'live', submission_id, asset_id,
      json_build_object('type', ${eventType()}, 'data', repeat('x', 600))
    from made where ${isFinished} and ${isNew} order by n`,
  deliveries: `
    insert into deliveries (delivery_id, workspace_id, subscription_id, event_id, event_type, livemode, submission_id,
      asset_id, trigger, status, attempt_count, max_attempts, attempts, last_response_status, next_attempt_at,
      look_after_at, created_at, completed_at)
    select made_id(at, 16 + s, n), workspace_id, made_id(${workspaceTime}, 7 + s, k), made_id(at, 10, n),
      ${eventType()}, mode = 'live', submission_id, asset_id, 'automatic', state,
      case state when 'pending' then 0 else 1 end, 8, '[]',
      case state when 'succeeded' then 200 when 'failed' then 500 end,
      case state when 'pending' then at + interval '1 hour' end, at + interval '2 hours', at,
      case when state <> 'pending' then at + interval '31 seconds' end
    from made, generate_series(0, ${contents.bigSubscriptions - 1}) s, lateral (
      select case when n > (select max(n) - ${contents.delivering} from made) then 'pending'
        when (n / 5) % 10 = 7 then 'failed' else 'succeeded' end as state
    ) d
    where ${isFinished} and ${isNew} and (k = 0 or s = 0) and k % 2 = 0 order by n`,
};

function eventType(): string {
  return `case status when 'failed' then 'asset.processing.failed' else 'asset.processing.completed' end`;
}

/** Fills a database with the schema of the first version: later migrations then change tables of this size. */
export async function fill(superuser: pg.Client, submissions: number): Promise<void> {
  // No foreign keys and triggers: the rows are consistent, and checking five million takes an hour.
  await superuser.query(`set session_replication_role = replica; set synchronous_commit = off; ${functions}`);
  // Later migrations change the partitions, so they belong to the role of the service.
  await superuser.query('set role assay');
  await superuser.query(
    `select make_months(date_trunc('month', now()) - interval '${contents.months - 1} months', ${contents.months + 4})`,
  );
  await superuser.query('reset role');
  await superuser.query(made(submissions));
  await superuser.query('analyze made');
  for (const [name, statement] of Object.entries(tables)) {
    const began = performance.now();
    const { rowCount } = await superuser.query(statement);
    const seconds = (performance.now() - began) / 1000;
    if (seconds > 5) console.log(`  ${name}: ${rowCount} rows in ${seconds.toFixed(0)} s`);
  }
  await superuser.query('reset session_replication_role');
}
