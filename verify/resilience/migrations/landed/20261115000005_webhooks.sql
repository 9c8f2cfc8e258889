-- migrate:up

-- A new id that begins with the time, as those do that the service itself makes.
create function uuid_v7() returns uuid language sql volatile as $$
  select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
    52, 1), 53, 1), 'hex')::uuid
$$;

create table subscriptions (
  subscription_id uuid primary key,
  workspace_id uuid not null references workspaces,
  url text not null,
  description text,
  event_types text[] not null check (cardinality(event_types) >= 1),
  mode text not null check (mode in ('all', 'live', 'sandbox')),
  max_requests_per_second int check (max_requests_per_second >= 1),
  -- Sealed (webhooks/secret.ts): the key is in the configuration and never here.
  secret bytea not null,
  previous_secret bytea,
  previous_secret_expires_at timestamptz,
  -- Why it is not active; null while it is.
  disabled_reason text check (disabled_reason in ('manual', 'consecutive_failures', 'gone', 'blocked_address')),
  disabled_at timestamptz,
  -- Failed attempts since the last success, and when the first of them was.
  consecutive_failure_count int not null default 0,
  failing_since timestamptz,
  last_delivery_at timestamptz,
  last_success_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((disabled_reason is null) = (disabled_at is null)),
  check ((previous_secret is null) = (previous_secret_expires_at is null))
);

create index subscriptions_by_workspace on subscriptions (workspace_id, subscription_id);

-- What happened, written with it. The body is kept as it is sent: every attempt and every replay sends these bytes.
create table events (
  event_id uuid primary key,
  workspace_id uuid not null,
  type text not null,
  livemode boolean not null,
  -- Null for a test.
  submission_id uuid,
  asset_id uuid,
  body text not null,
  -- Whoever follows the events of a workspace goes by this: ids are given before a commit, and commits overtake each other.
  written_by xid8 not null default pg_current_xact_id()
) partition by range (event_id);

create index events_by_workspace on events (workspace_id, written_by, event_id);
create index events_by_submission on events (submission_id) where submission_id is not null;

-- One event on its way to one subscription.
create table deliveries (
  delivery_id uuid primary key,
  workspace_id uuid not null,
  subscription_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  livemode boolean not null,
  submission_id uuid,
  asset_id uuid,
  trigger text not null check (trigger in ('automatic', 'manual', 'test')),
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed', 'cancelled')),
  attempt_count int not null default 0,
  max_attempts int not null check (max_attempts >= 1),
  attempts jsonb not null default '[]',
  last_response_status int,
  next_attempt_at timestamptz,
  -- When it is looked after: by then the engine has tried it, or it is handed to the engine (again).
  look_after_at timestamptz not null,
  created_at timestamptz not null,
  completed_at timestamptz,
  check ((status = 'pending') = (completed_at is null)),
  check ((status = 'pending') = (next_attempt_at is not null))
) partition by range (delivery_id);

create index deliveries_by_subscription on deliveries (subscription_id, delivery_id desc);
create index deliveries_pending on deliveries (look_after_at) where status = 'pending';
create index deliveries_pending_by_subscription on deliveries (subscription_id) where status = 'pending';
create index deliveries_by_submission on deliveries (submission_id) where submission_id is not null;

-- Each change of a submission is its next revision, and each asset says in which it changed last: whoever follows the
-- submission knows from one number what it has not seen.
alter table submissions add column revision int not null default 1;
alter table assets add column revision int not null default 1;

-- The tables that are cut into months.
create function monthly_tables() returns text[] language sql immutable as $$
  select array['submissions', 'assets', 'examinations', 'issues', 'events', 'deliveries']
$$;

create or replace function make_months(first timestamptz, month_count int) returns void language plpgsql as $$
declare
  parent text;
  part text;
  lower_bound timestamp;
begin
  for i in 0 .. month_count - 1 loop
    lower_bound := date_trunc('month', first at time zone 'UTC') + make_interval(months => i);
    foreach parent in array monthly_tables() loop
      part := parent || to_char(lower_bound, '_YYYY_MM');
      continue when to_regclass(part) is not null;
      execute format('create table %I (like %I including all)', part, parent);
      execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, part,
        uuid_floor(lower_bound at time zone 'UTC'),
        uuid_floor((lower_bound + interval '1 month') at time zone 'UTC'));
    end loop;
  end loop;
end $$;

create or replace function drop_empty_months(before timestamptz) returns void language plpgsql set lock_timeout = '1s' as $$
declare
  parent text;
  part regclass;
  is_empty boolean;
begin
  foreach parent in array monthly_tables() loop
    for part in select inhrelid::regclass from pg_inherits where inhparent = parent::regclass loop
      continue when to_date(right(part::text, 7), 'YYYY_MM') + interval '1 month' > before at time zone 'UTC';
      execute format('select not exists (select from %s)', part) into is_empty;
      if is_empty then execute format('drop table %s', part); end if;
    end loop;
  end loop;
end $$;

select make_months(now() - interval '1 month', 5);

-- migrate:down

alter table assets drop column revision;
alter table submissions drop column revision;
drop table deliveries;
drop table events;
drop table subscriptions;
drop function uuid_v7;
create or replace function monthly_tables() returns text[] language sql immutable as $$
  select array['submissions', 'assets', 'examinations', 'issues']
$$;
