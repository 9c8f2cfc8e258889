-- migrate:up

-- When a try ran and why it ended, for the operator. The reason names a limit, a tool or a dependency, and never contains
-- text from the file. The tries of a failed attempt are kept until the submission is deleted.
alter table examination_tries
  add column started_at timestamptz,
  add column ended_at timestamptz,
  add column error_type text,
  add column reason text,
  -- The configuration variable that sets the exceeded limit, if one does.
  add column variable text;

-- Not in the statement above, so that the start of earlier tries stays unknown.
alter table examination_tries alter column started_at set default now();

-- migrate:down

alter table examination_tries
  drop column started_at, drop column ended_at, drop column error_type, drop column reason, drop column variable;
