-- migrate:up

-- Which asset of an earlier submission an asset continues, and by what that was found.
alter table assets
  add column previous_asset_id uuid,
  add column matched_by text;
-- Not valid: rows of before have none, and need not be read while everybody waits.
alter table assets
  add constraint assets_matched_by check (matched_by in ('name', 'category', 'position')) not valid;

-- A file name as it was sent, where that is not in NFC as `filename` is.
alter table blobs add column sent_filename text;

-- migrate:down

alter table blobs drop column sent_filename;
alter table assets drop column previous_asset_id, drop column matched_by;
