-- migrate:up

-- A run that could not be handed over waits until then, so that it does not hold up those behind it.
alter table runs_to_start add column try_after timestamptz;

-- migrate:down

drop index if exists deliveries_replayed;
alter table runs_to_start drop column try_after;
