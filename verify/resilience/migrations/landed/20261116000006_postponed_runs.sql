-- migrate:up

-- A run that could not be handed over waits until then, so that it does not hold up those behind it.
alter table runs_to_start add column try_after timestamptz;

-- Replays: an event is kept as long as one of them is, and that may be longer than its first deliveries are.
create index deliveries_replayed on deliveries (event_id) where trigger = 'manual';

-- migrate:down

drop index deliveries_replayed;
alter table runs_to_start drop column try_after;
