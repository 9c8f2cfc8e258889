-- migrate:up

-- Until then, a worker that has claimed the cancellation tells the engine.
alter table runs_to_cancel add column try_after timestamptz;

-- migrate:down

alter table runs_to_cancel drop column try_after;
