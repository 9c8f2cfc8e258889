-- migrate:up transaction:false

-- The blobs of before. A submitted one has the size that was inspected; others are measured. In batches, each committed on
-- its own. A row that is locked is left for the next round: waiting for it could end in a deadlock with a submission.
do $$
declare
  after_id uuid := '00000000-0000-0000-0000-000000000000';
  last_id uuid;
begin
  loop
    select blob_id into last_id from (
      select blob_id from blobs where blob_id > after_id order by blob_id limit 1000
    ) as batch order by blob_id desc limit 1;
    if found then
      with free as materialized (
        select blob_id from blobs
        where blob_id > after_id and blob_id <= last_id and counted_bytes is null and emptied_at is null
        for update skip locked
      ), sizes as (
        select blob_id, (select max(size_bytes) from assets a where a.blob_id = free.blob_id) as bytes from free
      )
      update blobs b
      set counted_bytes = coalesce(sizes.bytes, 0), measure_at = case when sizes.bytes is null then now() end
      from sizes where b.blob_id = sizes.blob_id;
      after_id := last_id;
    else
      exit when not exists (select from blobs where counted_bytes is null and emptied_at is null);
      perform pg_sleep(0.1);
      after_id := '00000000-0000-0000-0000-000000000000';
    end if;
    commit;
  end loop;
end $$;

-- migrate:down

select 'what was counted stays on the blobs';
