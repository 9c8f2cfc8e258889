-- migrate:up transaction:false

-- Each existing table in a transaction of its own, so that it is locked briefly. Each statement can be repeated: after an
-- interruption, the file begins again.

-- What a key is for, and what it may do. Without scopes, it may do everything but manage keys: so may the keys that exist
-- and those that the previous version creates.
begin;
alter table api_keys
  add column if not exists name text,
  add column if not exists scopes text[];
alter table api_keys drop constraint if exists api_keys_name_length, drop constraint if exists api_keys_known_scopes;
alter table api_keys
  add constraint api_keys_name_length check (length(name) between 1 and 100) not valid,
  add constraint api_keys_known_scopes check (
    cardinality(scopes) >= 1 and scopes <@ array['read', 'submit', 'decide', 'webhooks', 'profiles', 'manage']
  ) not valid;
commit;
begin;
alter table api_keys validate constraint api_keys_name_length;
commit;
begin;
alter table api_keys validate constraint api_keys_known_scopes;
commit;

-- Decisions can be by people, by operators and by the service. Only keys and people have an ID.
begin;
alter table issue_decisions drop constraint if exists issue_decisions_actor;
alter table issue_decisions add constraint issue_decisions_actor check (
  (actor_kind in ('api_key', 'person') and actor_id is not null)
  or (actor_kind in ('operator', 'service', 'unknown') and actor_id is null)
) not valid;
alter table issue_decisions
  drop constraint if exists issue_decisions_actor_kind_check,
  drop constraint if exists issue_decisions_check;
commit;
begin;
alter table issue_decisions validate constraint issue_decisions_actor;
commit;

-- migrate:down

alter table issue_decisions
  drop constraint issue_decisions_actor,
  add constraint issue_decisions_actor_kind_check check (actor_kind in ('api_key', 'unknown')),
  add constraint issue_decisions_check check ((actor_kind = 'unknown') = (actor_id is null));
alter table api_keys
  drop constraint api_keys_known_scopes,
  drop constraint api_keys_name_length,
  drop column scopes,
  drop column name;
