-- migrate:up transaction:false

-- One existing table per transaction, so that none is locked while another is waited for. Each statement can be
-- repeated: after an interruption, the file begins again.

-- What the caller declared about the file, which is compared with what is stored. Null if nothing was declared.
begin;
alter table blobs add column if not exists declared_bytes bigint, add column if not exists declared_sha256 bytea;
commit;

-- As declared when the submission was created: a later declaration is about another upload.
begin;
alter table assets add column if not exists declared_sha256 bytea;
commit;

-- migrate:down

alter table assets drop column declared_sha256;
alter table blobs drop column declared_sha256, drop column declared_bytes;
