-- migrate:up transaction:false

-- One existing table per transaction, so that none is locked while another is waited for. Each statement can be
-- repeated: after an interruption, the file begins again.

-- What a workspace stores, so that nobody counts its blobs to know it. Shard 0 is what was added: a statement that adds
-- locks it, so that uploads that begin at the same time cannot pass the quota together. The others are what was taken
-- away, in several rows, so that sweeps do not wait for uploads.
begin;
create table if not exists storage_totals (
  workspace_id uuid not null references workspaces,
  shard int not null check (shard between 0 and 15),
  files bigint not null,
  bytes bigint not null,
  primary key (workspace_id, shard)
);

create or replace function add_to_storage_totals(id uuid, more_files bigint, more_bytes bigint)
returns void language sql as $$
  insert into storage_totals as t (workspace_id, shard, files, bytes)
  values (id, case when more_files > 0 or more_bytes > 0 then 0 else 1 + pg_backend_pid() % 15 end, more_files, more_bytes)
  on conflict (workspace_id, shard) do update set files = t.files + excluded.files, bytes = t.bytes + excluded.bytes
$$;

create or replace function open_storage_totals() returns trigger language plpgsql as $$
begin
  insert into storage_totals (workspace_id, shard, files, bytes) values (new.workspace_id, 0, 0, 0) on conflict do nothing;
  return null;
end $$;
commit;

begin;
create or replace trigger open_storage_totals after insert on workspaces
for each row execute function open_storage_totals();
commit;

begin;
insert into storage_totals (workspace_id, shard, files, bytes)
select workspace_id, 0, 0, 0 from workspaces
on conflict do nothing;
commit;

-- The bytes that a blob counts with: first what its upload may need, then what is stored. Null: not counted yet. The
-- previous version inserts blobs with the defaults, and a worker of this version then measures them.
begin;
alter table blobs
  add column if not exists counted_bytes bigint,
  -- When its bytes are measured next. Null: what is counted stays.
  add column if not exists measure_at timestamptz;
alter table blobs
  alter column counted_bytes set default 0,
  alter column measure_at set default now() + interval '5 minutes';
commit;

-- Once for each statement and workspace, in the order of ids, so that statements with several workspaces do not deadlock.
-- A purged blob counts as long as an upload URL may have been used since: until it is purged again.
begin;
create or replace function count_stored_media() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_to_storage_totals(workspace_id, files, bytes)
    from (
      select workspace_id, count(*) as files, sum(counted_bytes)::bigint as bytes from added
      where counted_bytes is not null and (emptied_at is null or emptied_at < upload_until)
      group by workspace_id order by workspace_id
    ) as more;
  elsif tg_op = 'DELETE' then
    perform add_to_storage_totals(workspace_id, -files, -bytes)
    from (
      select workspace_id, count(*) as files, sum(counted_bytes)::bigint as bytes from removed
      where counted_bytes is not null and (emptied_at is null or emptied_at < upload_until)
      group by workspace_id order by workspace_id
    ) as less;
  else
    perform add_to_storage_totals(workspace_id, files, bytes)
    from (
      select workspace_id, sum(files)::bigint as files, sum(bytes)::bigint as bytes
      from (
        select workspace_id, 1 as files, counted_bytes as bytes from added
        where counted_bytes is not null and (emptied_at is null or emptied_at < upload_until)
        union all
        select workspace_id, -1, -counted_bytes from removed
        where counted_bytes is not null and (emptied_at is null or emptied_at < upload_until)
      ) as changes
      group by workspace_id having sum(files) <> 0 or sum(bytes) <> 0
      order by workspace_id
    ) as differences;
  end if;
  return null;
end $$;

create or replace trigger count_added_media after insert on blobs
referencing new table as added for each statement execute function count_stored_media();
create or replace trigger count_changed_media after update on blobs
referencing old table as removed new table as added for each statement execute function count_stored_media();
create or replace trigger count_removed_media after delete on blobs
referencing old table as removed for each statement execute function count_stored_media();
commit;

-- When the revisions of a deleted profile were last checked for use.
begin;
alter table profiles add column if not exists revisions_checked_at timestamptz;
commit;

-- Results refer to a revision, so it never changes. Once its profile is deleted and nothing refers to it, it is removed.
begin;
create or replace function keep_profile_revision() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and exists (select from profiles where profile_id = old.profile_id and deleted_at is not null) then
    return old;
  end if;
  raise exception 'profile_revisions is append-only: % refused', tg_op using errcode = 'restrict_violation';
end $$;
commit;

-- migrate:down

create or replace function keep_profile_revision() returns trigger language plpgsql as $$
begin
  raise exception 'profile_revisions is append-only: % refused', tg_op using errcode = 'restrict_violation';
end $$;
alter table profiles drop column revisions_checked_at;
drop trigger count_removed_media on blobs;
drop trigger count_changed_media on blobs;
drop trigger count_added_media on blobs;
drop function count_stored_media;
alter table blobs drop column measure_at, drop column counted_bytes;
drop trigger open_storage_totals on workspaces;
drop function open_storage_totals;
drop function add_to_storage_totals;
drop table storage_totals;
