-- migrate:up

-- Which asset of an earlier submission an asset continues, and by what that was found.
alter table assets
  add column previous_asset_id uuid,
  add column matched_by text check (matched_by in ('name', 'category', 'position'));

-- Lists are by mode.
drop index submissions_by_status;
create index submissions_by_mode_and_status on submissions (workspace_id, mode, status, submission_id desc);

-- migrate:down

drop index submissions_by_mode_and_status;
create index submissions_by_status on submissions (workspace_id, status, submission_id desc);
alter table assets drop column previous_asset_id, drop column matched_by;
