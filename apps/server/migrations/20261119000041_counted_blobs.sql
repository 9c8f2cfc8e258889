-- migrate:up transaction:false

-- The blobs of before. A submitted one has the size that was inspected; others are measured. The sizes are read in one
-- pass, because a database that skips versions has no index on the blobs of assets yet. In batches, each committed on its
-- own. A row that is locked is left for the next round: waiting for it could end in a deadlock with a submission.
do $$
declare
  after_id uuid := '00000000-0000-0000-0000-000000000000';
  last_id uuid;
begin
  drop table if exists uncounted;
  create temporary table uncounted on commit preserve rows as
    select blob_id, max(size_bytes) as bytes from blobs left join assets using (blob_id)
    where counted_bytes is null and emptied_at is null group by blob_id;
  alter table uncounted add primary key (blob_id);
  analyze uncounted;
  commit;
  loop
    select blob_id into last_id from (
      select blob_id from uncounted where blob_id > after_id order by blob_id limit 1000
    ) as batch order by blob_id desc limit 1;
    if found then
      with free as materialized (
        select b.blob_id, bytes from uncounted join blobs b using (blob_id)
        where blob_id > after_id and blob_id <= last_id and counted_bytes is null and emptied_at is null
        for update of b skip locked
      )
      update blobs b
      set counted_bytes = coalesce(bytes, 0), measure_at = case when bytes is null then now() end
      from free where b.blob_id = free.blob_id;
      after_id := last_id;
    else
      exit when not exists (select from blobs where counted_bytes is null and emptied_at is null);
      perform pg_sleep(0.1);
      after_id := '00000000-0000-0000-0000-000000000000';
    end if;
    commit;
  end loop;
  drop table uncounted;
end $$;

-- migrate:down

select 'what was counted stays on the blobs';
