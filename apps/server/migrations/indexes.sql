-- Indexes of tables that may already have millions of rows. `migrate` reads this file after the migrations and builds
-- what is missing concurrently, month by month (src/platform/postgres/build-indexes.ts). Each has this form, on one line
-- or several. To remove an index, delete it here and drop it in a migration.

-- Who still uses a blob.
create index concurrently if not exists assets_by_blob on assets (blob_id);

create index concurrently if not exists blobs_by_next_look on blobs (next_look_at) where next_look_at < 'infinity';

create index concurrently if not exists submissions_unfinished
on submissions (coalesce(engine_asked_at, created_at)) where completed_at is null;

-- Replays: an event is kept as long as one of them is, and that may be longer than its first deliveries are.
create index concurrently if not exists deliveries_replayed on deliveries (event_id) where trigger = 'manual';

-- Lists are by mode. `submissions_by_status` stays while the version before this one, which needs it, may run.
create index concurrently if not exists submissions_by_mode_and_status
on submissions (workspace_id, mode, status, submission_id desc);

-- How old the oldest unfinished submission is, and how long a delivery is overdue.
create index concurrently if not exists submissions_unfinished_by_id on submissions (submission_id)
where completed_at is null;

create index concurrently if not exists deliveries_pending_by_attempt on deliveries (next_attempt_at)
where status = 'pending';

-- Deliveries by status and event type: in an incident, the few failed ones among hundreds of thousands.
create index concurrently if not exists deliveries_by_kind
on deliveries (subscription_id, event_type, status, delivery_id);

-- Uploads whose size is not final.
create index concurrently if not exists blobs_to_measure on blobs (measure_at) where measure_at is not null;

-- Whether a submission refers to a revision of a workspace's own profile.
create index concurrently if not exists submissions_by_profile on submissions (profile_id, profile_revision)
where profile_id is not null;

-- Finished submissions whose verdict is not stored, because a previous version finished them.
create index concurrently if not exists submissions_without_verdict on submissions (submission_id)
where completed_at is not null and verdict is null and mode = 'live';

-- Filters of the list. By mode and status, as the list itself.
create index concurrently if not exists submissions_by_verdict
on submissions (workspace_id, mode, verdict, status, submission_id desc) where verdict is not null;

-- By the name of a built-in profile or the id of an own one, which can be renamed. The workspace and the mode are part of
-- the text in this index and the next, because PostgreSQL would otherwise use an index on them alone, which it expects to
-- find as few rows: it knows how many rows a workspace has on average.
create index concurrently if not exists submissions_by_profile_key
on submissions ((workspace_id::text || ' ' || mode || ' ' || coalesce(profile_id::text, profile)), status,
  submission_id desc);

-- Only strings of up to 200 characters are references; an index entry has no room for longer ones.
create index concurrently if not exists submissions_by_client_reference
on submissions ((workspace_id::text || ' ' || mode || ' ' || left(metadata ->> 'clientReference', 200)), status,
  submission_id desc)
where jsonb_typeof(metadata -> 'clientReference') = 'string';

create index concurrently if not exists assets_by_filename
on assets (workspace_id, (lower(normalize(filename)) collate "C"), submission_id desc);
