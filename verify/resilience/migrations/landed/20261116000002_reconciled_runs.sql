-- migrate:up

-- When the engine was last asked whether it still has the runs of this submission.
alter table submissions add column engine_asked_at timestamptz;

create index submissions_unfinished on submissions (coalesce(engine_asked_at, created_at)) where completed_at is null;

-- How often this attempt was handed to the engine again, because the engine had lost its run.
alter table assets add column restart_count int not null default 0;

-- migrate:down

alter table assets drop column restart_count;
drop index submissions_unfinished;
alter table submissions drop column engine_asked_at;
