-- migrate:up

-- Every path that was ever issued: only these are accepted back. The path is <workspace_id>/<blob_id>-<filename>.
-- Account and container stand beside each blob, so that new uploads can move to another while old ones stay.
create table blobs (
  blob_id uuid primary key,
  workspace_id uuid not null references workspaces,
  filename text not null check (octet_length(filename) between 1 and 255),
  content_type text not null,
  account text not null,
  container text not null,
  created_at timestamptz not null default now()
);

-- migrate:down

drop table blobs;
