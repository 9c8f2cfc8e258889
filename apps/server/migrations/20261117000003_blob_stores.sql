-- migrate:up

-- Which store an account and a container belong to. For S3, `account` is the host that callers use and `container` the
-- bucket. The version before this one stores in Azure alone, so the default is right for its rows.
alter table blobs add column store text not null default 'azure';
-- Not validated: every row has the default, and checking them would block uploads meanwhile.
alter table blobs add constraint blobs_store_check check (store in ('azure', 's3')) not valid;

-- migrate:down

alter table blobs drop column store;
