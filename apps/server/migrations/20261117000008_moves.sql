-- migrate:up

-- Media can be moved to another store while the service runs. The row then names a second place that may contain the
-- bytes: before the switch the one that is copied to, after it the one that was copied from. A purge empties both.
alter table blobs
  add column other_store text,
  add column other_account text,
  add column other_container text,
  add column moved_at timestamptz,
  -- The ETag of the copy, and those that the same bytes had before. Assets keep the ETag that was inspected.
  add column etag text,
  add column former_etags text[],
  -- No upload URL is valid after this: an hour after the last one was issued, and a margin for clock skew. Rows that
  -- exist may have a URL that was renewed just now.
  add column upload_until timestamptz not null default now() + interval '65 minutes';
-- Not validated: no row has another place yet, and checking them would block uploads meanwhile.
alter table blobs
  add constraint blobs_other_check check (
    (other_store in ('azure', 's3') and other_account is not null and other_container is not null)
    or (other_store is null and other_account is null and other_container is null)
  ) not valid;

-- migrate:down

alter table blobs
  drop column other_store,
  drop column other_account,
  drop column other_container,
  drop column moved_at,
  drop column etag,
  drop column former_etags,
  drop column upload_until;
