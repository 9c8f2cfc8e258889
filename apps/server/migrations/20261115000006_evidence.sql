-- migrate:up transaction:false

-- The existing table in a transaction of its own, so that it is locked briefly. Each statement can be repeated: after an
-- interruption, the file begins again.

-- What can be looked at: the stills of an issue, in order, as ids of `stills` with their moments.
begin;
alter table issues add column if not exists evidence jsonb not null default '[]';
commit;

begin;
-- JPEGs of some tens of kilobytes, at most 30 of an asset. Here and not in blob storage, so that they come and go in the
-- transactions and months of the results that they belong to.
create table if not exists stills (
  submission_id uuid not null,
  asset_id uuid not null,
  still_id uuid not null,
  workspace_id uuid not null,
  jpeg bytea not null,
  primary key (submission_id, asset_id, still_id)
) partition by range (submission_id);

-- They are compressed already.
alter table stills alter column jpeg set storage external;

-- What was measured over time, for plots.
create table if not exists measurements (
  submission_id uuid not null,
  asset_id uuid not null,
  workspace_id uuid not null,
  duration_ms int,
  series jsonb not null,
  primary key (submission_id, asset_id)
) partition by range (submission_id);

create or replace function monthly_tables() returns text[] language sql immutable as $$
  select array['submissions', 'assets', 'examinations', 'issues', 'stills', 'measurements', 'events', 'deliveries']
$$;

select make_months(now() - interval '1 month', 5);
commit;

-- migrate:down

create or replace function monthly_tables() returns text[] language sql immutable as $$
  select array['submissions', 'assets', 'examinations', 'issues', 'events', 'deliveries']
$$;
drop table measurements;
drop table stills;
alter table issues drop column evidence;
