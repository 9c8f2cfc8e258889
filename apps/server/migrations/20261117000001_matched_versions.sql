-- migrate:up transaction:false

-- One existing table per transaction, so that none is locked while another is waited for. Each statement can be
-- repeated: after an interruption, the file begins again.

-- Which asset of an earlier submission an asset continues, and by what that was found.
begin;
alter table assets
  add column if not exists previous_asset_id uuid,
  add column if not exists matched_by text;
-- Not valid: rows of before have none, and need not be read while everybody waits.
alter table assets
  drop constraint if exists assets_matched_by,
  add constraint assets_matched_by check (matched_by in ('name', 'category', 'position')) not valid;
commit;

-- A file name as it was sent, where that is not in NFC as `filename` is.
begin;
alter table blobs add column if not exists sent_filename text;
commit;

-- migrate:down

alter table blobs drop column sent_filename;
alter table assets drop column previous_asset_id, drop column matched_by;
