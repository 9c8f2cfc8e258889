-- migrate:up

-- What operators changed with `admin`, written in the transaction of the change. A change that takes longer than a
-- transaction has two rows: when it started, and when it ended.
create table admin_actions (
  action_id uuid primary key,
  acted_at timestamptz not null default now(),
  -- As the operator stated it; nobody verifies it.
  operator text,
  -- Where the command ran.
  os_user text not null,
  host text not null,
  command text not null,
  outcome text not null check (outcome in ('started', 'completed', 'failed')),
  workspace_id uuid references workspaces,
  -- Options as they were given, and what they led to, such as the id of a new key. Never a secret.
  arguments jsonb not null,
  result jsonb not null
);

create index admin_actions_by_workspace on admin_actions (workspace_id, action_id);

create trigger admin_actions_are_kept before update or delete or truncate on admin_actions
  for each statement execute function refuse_change();

-- migrate:down

drop table admin_actions;
