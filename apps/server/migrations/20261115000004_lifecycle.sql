-- migrate:up transaction:false

-- One existing table per transaction, so that none is locked while another is waited for. Each statement can be
-- repeated: after an interruption, the file begins again.

-- The run in which the newest attempt is made: a retry is a run of its own that holds this one asset.
begin;
alter table assets add column if not exists run int not null default 1;
alter table assets
  drop constraint if exists assets_run_check,
  add constraint assets_run_check check (run >= 1) not valid;
commit;
begin;
alter table assets validate constraint assets_run_check;
commit;

-- Cancelled runs of which nobody has heard yet that the engine knows.
begin;
create table if not exists runs_to_cancel (
  submission_id uuid not null,
  run int not null,
  created_at timestamptz not null,
  primary key (submission_id, run)
);

create index if not exists runs_to_cancel_by_age on runs_to_cancel (created_at);
commit;

-- A blob is looked at when it is due: it is then kept, emptied or forgotten (submissions/look-after-blobs.ts). No
-- retention is shorter than the hour for which its upload URL is good, so nobody looks before.
begin;
alter table blobs
  add column if not exists next_look_at timestamptz not null default now() + interval '1 hour',
  -- A submission that used it was deleted. Another may still use it.
  add column if not exists discarded_at timestamptz,
  -- Its bytes are gone and its path is refused from then on. Once nobody uses it the file name goes too, and the row
  -- itself when no upload URL can be good any more.
  add column if not exists emptied_at timestamptz,
  alter column filename drop not null;
alter table blobs
  drop constraint if exists blobs_check,
  add constraint blobs_check check (filename is not null or emptied_at is not null) not valid;
commit;
begin;
alter table blobs validate constraint blobs_check;
commit;

-- Drops the months before this moment in which nothing is left.
begin;
create or replace function drop_empty_months(before timestamptz) returns void language plpgsql set lock_timeout = '1s' as $$
declare
  parent text;
  part regclass;
  is_empty boolean;
begin
  foreach parent in array array['submissions', 'assets', 'examinations', 'issues'] loop
    for part in select inhrelid::regclass from pg_inherits where inhparent = parent::regclass loop
      continue when to_date(right(part::text, 7), 'YYYY_MM') + interval '1 month' > before at time zone 'UTC';
      execute format('select not exists (select from %s)', part) into is_empty;
      if is_empty then execute format('drop table %s', part); end if;
    end loop;
  end loop;
end $$;
commit;

-- What was spent stays spent.
begin;
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;

create or replace trigger credit_entries_are_kept before update or delete or truncate on credit_entries
  for each statement execute function refuse_change();
commit;

-- migrate:down

drop trigger credit_entries_are_kept on credit_entries;
drop function refuse_change;
drop function drop_empty_months;
drop index if exists blobs_by_next_look;
delete from blobs where filename is null;
alter table blobs drop column next_look_at, drop column discarded_at, drop column emptied_at, alter column filename set not null;
drop table runs_to_cancel;
drop index if exists assets_by_blob;
alter table assets drop column run;
