-- migrate:up

-- Every change of an issue's status. The status on `issues` is the newest of them; what was decided is read here.
create table issue_decisions (
  submission_id uuid not null,
  asset_id uuid not null,
  issue_id uuid not null,
  -- Counts up per issue.
  decision_number int not null check (decision_number >= 1),
  workspace_id uuid not null,
  actor_kind text not null check (actor_kind in ('api_key', 'unknown')),
  actor_id uuid,
  decided_at timestamptz not null,
  -- Null: not recorded, as it was decided before decisions were.
  from_status text,
  to_status text not null,
  reason text,
  note text,
  carries_over boolean not null,
  -- The issue of an earlier version that this was decided on; null when it was decided here.
  carried_from jsonb,
  primary key (submission_id, asset_id, issue_id, decision_number),
  check ((actor_kind = 'unknown') = (actor_id is null)),
  check (not carries_over or to_status in ('ACKNOWLEDGED', 'DISMISSED'))
) partition by range (submission_id);

-- A record: it goes with its submission, and nothing else changes or removes it.
create function keep_decision() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and not exists (select from submissions where submission_id = old.submission_id) then
    return old;
  end if;
  raise exception 'issue_decisions is append-only: % refused', tg_op using errcode = 'restrict_violation';
end $$;

create trigger keep_decision before update or delete on issue_decisions
for each row execute function keep_decision();

-- What was decided on the same finding in the previous version and does not hold for this one, and why.
alter table issues add column previous_decision jsonb, add column status_reason text;

create or replace function monthly_tables() returns text[] language sql immutable as $$
  select array[
    'submissions', 'assets', 'examinations', 'issues', 'issue_decisions', 'stills', 'measurements', 'events', 'deliveries'
  ]
$$;

-- The months that some table has, oldest first.
create function kept_months() returns setof date language sql stable as $$
  -- Materialized, so that no name of another thing that is divided, such as an index, is read as a month.
  with parts as materialized (
    select inhrelid::regclass::text as name from pg_inherits
    where inhparent = any (select parent::regclass from unnest(monthly_tables()) as parent)
  )
  select distinct to_date(right(name, 7), 'YYYY_MM') from parts order by 1
$$;

-- Drops the months before this moment of which nothing is left in any table: a table whose month is missing while
-- another one still has it could not take a row that belongs to that month, such as a late decision.
create or replace function drop_empty_months(before timestamptz) returns void language plpgsql set lock_timeout = '1s' as $$
declare
  month date;
  parent text;
  part text;
  is_empty boolean;
begin
  for month in select * from kept_months() loop
    continue when month + interval '1 month' > before at time zone 'UTC';
    is_empty := true;
    foreach parent in array monthly_tables() loop
      part := parent || to_char(month, '_YYYY_MM');
      continue when to_regclass(part) is null or not is_empty;
      execute format('select not exists (select from %I)', part) into is_empty;
    end loop;
    continue when not is_empty;
    foreach parent in array monthly_tables() loop
      execute format('drop table if exists %I', parent || to_char(month, '_YYYY_MM'));
    end loop;
  end loop;
end $$;

select make_months(month, 1) from kept_months() as month;

-- migrate:down

create or replace function monthly_tables() returns text[] language sql immutable as $$
  select array['submissions', 'assets', 'examinations', 'issues', 'stills', 'measurements', 'events', 'deliveries']
$$;
alter table issues drop column status_reason, drop column previous_decision;
drop table issue_decisions;
drop function keep_decision;
drop function kept_months;
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
