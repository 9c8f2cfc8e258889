-- migrate:up transaction:false

-- Verdicts are stored, so that a list can filter by them and an event can say what has changed. Each statement can be
-- repeated: after an interruption, the file begins again.

begin;
-- The verdict on a complete asset, with the counts behind it. Null until it is complete, in the sandbox, and until a job
-- has judged an asset that a previous version completed.
alter table assets add column if not exists judgement jsonb;
commit;

begin;
-- The worst verdict of the assets, for the filter of the list. Null until all are finished and judged.
alter table submissions add column if not exists verdict text;
commit;

begin;
-- Whether the transaction that inserted the decision also stored the verdict that follows. The previous version does not.
alter table issue_decisions add column if not exists verdict_stored boolean not null default false;
commit;

begin;
-- Submissions of which the previous version, running beside this one, has decided on an issue.
create table if not exists submissions_to_judge (
  submission_id uuid primary key,
  workspace_id uuid not null
);

-- The row of an earlier decision is locked, so that the job does not take it before this decision is committed.
create or replace function judge_later() returns trigger language plpgsql security definer as $$
begin
  insert into submissions_to_judge (submission_id, workspace_id) values (new.submission_id, new.workspace_id)
  on conflict (submission_id) do update set workspace_id = excluded.workspace_id;
  return null;
end $$;

-- A verdict that was stored before a retry does not survive the end of the retry.
create or replace function forget_verdict() returns trigger language plpgsql as $$
begin
  new.verdict := null;
  return new;
end $$;
commit;

begin;
do $$
begin
  -- A caller must not choose what the names in the function mean.
  execute format('alter function judge_later() set search_path = %I, pg_temp', current_schema());
  revoke execute on function judge_later() from public;
end $$;
commit;

begin;
create or replace trigger judge_later after insert on issue_decisions
for each row when (not new.verdict_stored and new.carried_from is null) execute function judge_later();
commit;

begin;
create or replace trigger forget_verdict before update of completed_at on submissions
for each row when (
  new.verdict is not null and new.verdict is not distinct from old.verdict
  and new.completed_at is distinct from old.completed_at
) execute function forget_verdict();
commit;

-- migrate:down

drop trigger forget_verdict on submissions;
drop trigger judge_later on issue_decisions;
drop function forget_verdict;
drop function judge_later;
drop table submissions_to_judge;
alter table issue_decisions drop column verdict_stored;
alter table submissions drop column verdict;
alter table assets drop column judgement;
