-- migrate:up

-- The row of a deleted workspace stays, because the ledger of credits and the record of admin actions refer to it.
alter table workspaces add column deleted_at timestamptz;

-- migrate:down

alter table workspaces drop column deleted_at;
