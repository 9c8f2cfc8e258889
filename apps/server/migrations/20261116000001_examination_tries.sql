-- migrate:up

-- The tries at examinations that are not settled yet. One without an end goes on, or its worker died.
create table examination_tries (
  submission_id uuid not null,
  asset_id uuid not null,
  attempt int not null,
  try_id uuid not null,
  workspace_id uuid not null,
  -- The process that made it.
  worker_id uuid not null,
  -- It runs apart from others that may kill their worker: if this one dies, it is to blame.
  is_suspect boolean not null,
  ended_by text check (ended_by in ('file', 'timeout', 'worker', 'neighbour', 'machine', 'outage', 'stop', 'bug')),
  primary key (submission_id, asset_id, attempt, try_id)
);

create index examination_tries_by_suspect_worker on examination_tries (worker_id) where is_suspect;

-- migrate:down

drop table examination_tries;
