-- migrate:up

-- An unfinished upload in parts: its id at the store, and since when. Both are null if there is none.
alter table blobs add column part_upload_id text, add column part_upload_at timestamptz;

-- migrate:down

alter table blobs drop column part_upload_at, drop column part_upload_id;
