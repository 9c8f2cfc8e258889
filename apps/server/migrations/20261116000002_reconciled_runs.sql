-- migrate:up transaction:false

-- One existing table per transaction, so that none is locked while another is waited for. Each statement can be
-- repeated: after an interruption, the file begins again.

-- When the engine was last asked whether it still has the runs of this submission. The index is in indexes.sql.
begin;
alter table submissions add column if not exists engine_asked_at timestamptz;
commit;

-- How often this attempt was handed to the engine again, because the engine had lost its run.
begin;
alter table assets add column if not exists restart_count int not null default 0;
commit;

-- migrate:down

alter table assets drop column restart_count;
drop index if exists submissions_unfinished;
alter table submissions drop column engine_asked_at;
