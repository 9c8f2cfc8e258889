-- migrate:up transaction:false

-- One existing table per transaction, so that none is locked while another is waited for. Each statement can be
-- repeated: after an interruption, the file begins again.

-- Technical facts of the file, and when its poster was taken. Null until the asset is settled, and for those that were
-- settled before.
begin;
alter table assets add column if not exists media jsonb;
commit;

begin;
alter table examinations add column if not exists media jsonb;
commit;

-- migrate:down

alter table examinations drop column media;
alter table assets drop column media;
