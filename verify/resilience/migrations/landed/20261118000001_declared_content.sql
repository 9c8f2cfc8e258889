-- migrate:up

-- What the caller declared about the file, which is compared with what is stored. Null if nothing was declared.
alter table blobs add column declared_bytes bigint, add column declared_sha256 bytea;

-- As declared when the submission was created: a later declaration is about another upload.
alter table assets add column declared_sha256 bytea;

-- migrate:down

alter table assets drop column declared_sha256;
alter table blobs drop column declared_sha256, drop column declared_bytes;
