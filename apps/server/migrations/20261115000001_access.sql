-- migrate:up

create table workspaces (
  workspace_id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  tier text not null check (tier in ('free', 'starter', 'pro', 'enterprise')),
  created_at timestamptz not null default now()
);

-- A key itself is shown once and never stored: only its HMAC under the pepper, and what a person needs to tell keys apart.
create table api_keys (
  key_id uuid primary key,
  workspace_id uuid not null references workspaces,
  mode text not null check (mode in ('live', 'sandbox')),
  hmac bytea not null unique check (length(hmac) = 32),
  prefix text not null,
  last_four text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz
);

create index api_keys_by_workspace on api_keys (workspace_id, key_id);

-- Append-only. One entry per completed live asset and attempt, so that an activity that runs twice charges once.
create table credit_entries (
  workspace_id uuid not null references workspaces,
  asset_id uuid not null,
  attempt int not null check (attempt >= 1),
  credits int not null check (credits > 0),
  created_at timestamptz not null default now(),
  primary key (workspace_id, asset_id, attempt)
);

-- migrate:down

drop table credit_entries;
drop table api_keys;
drop table workspaces;
