-- migrate:up

-- What the caller declared about the file, which is compared with what is stored. Null if nothing was declared.
alter table blobs add column declared_bytes bigint, add column declared_sha256 bytea;

-- migrate:down

alter table blobs drop column declared_sha256, drop column declared_bytes;
