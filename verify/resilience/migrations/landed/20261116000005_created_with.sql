-- migrate:up

-- Which kind of key made it: a sandbox key changes only what a sandbox key made. Of what is there already nobody knows;
-- it counts as live, so that no sandbox key touches what may be in use; and so does what the version before still makes
-- while it is replaced. Submissions say it by their mode.
alter table subscriptions add column created_with text not null default 'live' check (created_with in ('live', 'sandbox'));
alter table blobs add column created_with text not null default 'live' check (created_with in ('live', 'sandbox'));

-- migrate:down

alter table blobs drop column created_with;
alter table subscriptions drop column created_with;
