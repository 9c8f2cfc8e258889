-- migrate:up

-- Under which pepper the HMAC is: null for keys from before this was recorded. One under an older pepper is written
-- again when its key is used.
alter table api_keys add column pepper_id text;

-- migrate:down

alter table api_keys drop column pepper_id;
