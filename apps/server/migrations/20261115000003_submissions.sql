-- migrate:up transaction:false

-- The existing table in a transaction of its own, so that it is locked briefly. Each statement can be repeated: after an
-- interruption, the file begins again.
begin;
alter table workspaces add column if not exists profile text not null default 'ebu-r128';
commit;

begin;
-- Ids are UUIDv7, so a range of ids is a range of time. What grows for ever is cut into months by submission id, which
-- every path of the interface carries: a read touches one month, and retention drops one. A unique index of such a table
-- must hold its partition key, so what must be unique beyond one submission stands in small tables of its own.
-- No foreign keys between the cut tables: with them a month could not be dropped.

create table if not exists submissions (
  submission_id uuid primary key,
  workspace_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  -- The newest run of the engine: creation is run 1, each accepted retry adds one.
  run int not null default 1 check (run >= 1),
  -- What submissions/status.ts says of the assets, written with each change of them. Only the list's filter reads it.
  status text not null check (status in ('submitted', 'processing', 'complete', 'failed')),
  -- Null: those that are on by default when the asset is examined. Empty: none.
  sidekick_ids uuid[],
  profile text not null,
  simulation_delay_seconds int not null default 0,
  metadata jsonb not null default '{}',
  created_at timestamptz not null,
  completed_at timestamptz
) partition by range (submission_id);

-- A list goes through it once per status that it asks for, and so meets each newest first.
create index if not exists submissions_by_status on submissions (workspace_id, status, submission_id desc);

create table if not exists assets (
  submission_id uuid not null,
  asset_id uuid not null,
  workspace_id uuid not null,
  position int not null,
  blob_id uuid not null,
  filename text not null,
  content_type text not null,
  category text not null check (category in ('video', 'audio', 'image', 'document')),
  -- The bytes that were validated: they are read under this tag or not at all.
  etag text not null,
  size_bytes bigint not null,
  version_group_id uuid not null,
  version_number int not null check (version_number >= 1),
  status text not null default 'submitted' check (status in ('submitted', 'processing', 'complete', 'failed')),
  -- Creation is attempt 1, each accepted retry adds one.
  attempt int not null default 1 check (attempt >= 1),
  progress_percent int not null default 0 check (progress_percent between 0 and 100),
  issue_count int,
  error_type text,
  content_sha256 bytea,
  checks jsonb not null default '[]',
  topics jsonb,
  created_at timestamptz not null,
  completed_at timestamptz,
  primary key (submission_id, asset_id),
  check ((status = 'failed') = (error_type is not null)),
  check ((status in ('complete', 'failed')) = (completed_at is not null))
) partition by range (submission_id);

-- What the sidekicks found in one attempt, until it is settled.
create table if not exists examinations (
  submission_id uuid not null,
  asset_id uuid not null,
  attempt int not null,
  workspace_id uuid not null,
  content_sha256 bytea not null,
  checks jsonb not null,
  findings jsonb not null,
  primary key (submission_id, asset_id, attempt)
) partition by range (submission_id);

create table if not exists issues (
  submission_id uuid not null,
  asset_id uuid not null,
  issue_id uuid not null,
  workspace_id uuid not null,
  reference_number int not null check (reference_number >= 1),
  rule_code text not null,
  subject text not null,
  sidekick_id uuid not null,
  summary text not null,
  severity text not null check (severity in ('CRITICAL', 'MAJOR', 'MINOR', 'INFO')),
  severity_reasoning text not null,
  severity_reasoning_headline text not null,
  status text not null check (status in ('OPEN', 'ACKNOWLEDGED', 'AWAITING_HUMAN_INPUT', 'RESOLVED', 'DISMISSED')),
  status_note text,
  status_changed_at timestamptz,
  confidence double precision not null check (confidence between 0 and 1),
  measured double precision,
  limit_value double precision,
  unit text,
  standard jsonb,
  precedents jsonb not null,
  locations jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (submission_id, asset_id, reference_number),
  unique (submission_id, asset_id, issue_id)
) partition by range (submission_id);

create table if not exists version_groups (
  version_group_id uuid primary key,
  workspace_id uuid not null references workspaces,
  last_version_number int not null default 1,
  -- Counts up for ever: a number once given to a finding is never given to another.
  last_reference_number int not null default 0
);

create table if not exists asset_versions (
  version_group_id uuid not null references version_groups,
  version_number int not null,
  workspace_id uuid not null,
  submission_id uuid not null,
  asset_id uuid not null,
  primary key (version_group_id, version_number)
);

-- Answers that are given again to the same request: only successes, for a day.
create table if not exists idempotency_keys (
  workspace_id uuid not null references workspaces,
  route text not null,
  key text not null,
  fingerprint bytea not null,
  answer jsonb not null,
  created_at timestamptz not null,
  primary key (workspace_id, route, key)
);

create index if not exists idempotency_keys_by_age on idempotency_keys (created_at);

-- Runs that are committed but of which nobody has heard yet that the engine has them.
create table if not exists runs_to_start (
  submission_id uuid not null,
  run int not null,
  workspace_id uuid not null,
  created_at timestamptz not null,
  primary key (submission_id, run)
);

create index if not exists runs_to_start_by_age on runs_to_start (created_at);

-- The least UUIDv7 of a moment.
create or replace function uuid_floor(moment timestamptz) returns uuid language sql immutable strict parallel safe as $$
  select (lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- Makes the months from this one on, where they are missing. Made apart and then attached, as `create … partition of`
-- would wait for every reader of the whole table.
create or replace function make_months(first timestamptz, month_count int) returns void language plpgsql as $$
declare
  parent text;
  part text;
  lower_bound timestamp;
begin
  for i in 0 .. month_count - 1 loop
    lower_bound := date_trunc('month', first at time zone 'UTC') + make_interval(months => i);
    foreach parent in array array['submissions', 'assets', 'examinations', 'issues'] loop
      part := parent || to_char(lower_bound, '_YYYY_MM');
      continue when to_regclass(part) is not null;
      execute format('create table %I (like %I including all)', part, parent);
      execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, part,
        uuid_floor(lower_bound at time zone 'UTC'),
        uuid_floor((lower_bound + interval '1 month') at time zone 'UTC'));
    end loop;
  end loop;
end $$;

select make_months(now() - interval '1 month', 5);
commit;

-- migrate:down

drop function make_months;
drop table runs_to_start;
drop table idempotency_keys;
drop table asset_versions;
drop table version_groups;
drop table issues;
drop table examinations;
drop table assets;
drop table submissions;
drop function uuid_floor;
alter table workspaces drop column profile;
