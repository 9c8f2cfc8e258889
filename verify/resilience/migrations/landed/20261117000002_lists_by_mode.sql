-- migrate:up

-- Lists are by mode. `submissions_by_status` stays while the version before this one, which needs it, may run.
create index submissions_by_mode_and_status on submissions (workspace_id, mode, status, submission_id desc);

-- migrate:down

drop index submissions_by_mode_and_status;
