-- migrate:up

-- For timecodes. Null without video, and for what was measured before.
alter table measurements add column frame_rate float8;

-- migrate:down

alter table measurements drop column frame_rate;
