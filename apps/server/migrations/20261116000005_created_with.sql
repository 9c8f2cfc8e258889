-- migrate:up transaction:false

-- One existing table per transaction, so that none is locked while another is waited for. Each statement can be
-- repeated: after an interruption, the file begins again.

-- Which kind of key made it: a sandbox key changes only what a sandbox key made. Of what is there already nobody knows;
-- it counts as live, so that no sandbox key touches what may be in use; and so does what the version before still makes
-- while it is replaced. Submissions say it by their mode.
begin;
alter table subscriptions add column if not exists created_with text not null default 'live';
alter table subscriptions
  drop constraint if exists subscriptions_created_with_check,
  add constraint subscriptions_created_with_check check (created_with in ('live', 'sandbox')) not valid;
commit;
begin;
alter table subscriptions validate constraint subscriptions_created_with_check;
commit;

begin;
alter table blobs add column if not exists created_with text not null default 'live';
alter table blobs
  drop constraint if exists blobs_created_with_check,
  add constraint blobs_created_with_check check (created_with in ('live', 'sandbox')) not valid;
commit;
begin;
alter table blobs validate constraint blobs_created_with_check;
commit;

-- migrate:down

alter table blobs drop column created_with;
alter table subscriptions drop column created_with;
