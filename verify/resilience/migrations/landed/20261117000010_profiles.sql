-- migrate:up

-- Delivery profiles of workspaces. A deleted one stays, because submissions and other profiles refer to its revisions.
create table profiles (
  profile_id uuid primary key,
  workspace_id uuid not null references workspaces,
  name text not null,
  latest_revision int not null check (latest_revision >= 1),
  created_with text not null check (created_with in ('live', 'sandbox')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);

create unique index profiles_by_name on profiles (workspace_id, name) where deleted_at is null;

create table profile_revisions (
  profile_id uuid not null references profiles,
  revision int not null check (revision >= 1),
  workspace_id uuid not null,
  name text not null,
  -- What the profile changes itself.
  document jsonb not null,
  -- Everything that applies, inherited limits and rules included.
  resolved jsonb not null,
  fail_on text not null check (fail_on in ('CRITICAL', 'MAJOR', 'MINOR', 'INFO')),
  extends_id uuid not null,
  extends_name text not null,
  extends_revision int not null,
  -- How many profiles it extends, one on top of the other.
  depth int not null check (depth >= 1),
  created_at timestamptz not null,
  primary key (profile_id, revision)
);

-- Results refer to a revision, so it never changes.
create function keep_profile_revision() returns trigger language plpgsql as $$
begin
  raise exception 'profile_revisions is append-only: % refused', tg_op using errcode = 'restrict_violation';
end $$;

create trigger keep_profile_revision before update or delete on profile_revisions
for each row execute function keep_profile_revision();

-- `profile` keeps its name. The id is null for a built-in profile. Results of before used what is now revision 1.
alter table submissions
  add column profile_id uuid,
  add column profile_revision int not null default 1;

-- The name of a built-in profile, or the id of an own one. Existing workspaces keep theirs.
alter table workspaces alter column profile set default 'general';

-- migrate:down

alter table workspaces alter column profile set default 'ebu-r128';
update workspaces set profile = 'ebu-r128' where profile not in ('ebu-r128', 'atsc-a85');
alter table submissions drop column profile_revision, drop column profile_id;
drop table profile_revisions;
drop function keep_profile_revision;
drop table profiles;
