-- migrate:up

-- The id of a pinned built-in profile, and the gate of any pinned profile. Before, they were looked up in the revisions
-- that a process knows, and during an upgrade the previous version does not know a new revision. Null in submissions of
-- previous versions, which pin only revisions that every later version knows.
alter table submissions
  add column built_in_profile_id uuid,
  add column fail_on text,
  -- Short names of the checks that may be incomplete.
  add column allow_incomplete text[];

-- migrate:down

alter table submissions drop column built_in_profile_id, drop column fail_on, drop column allow_incomplete;
