-- migrate:up transaction:false

-- Constraints that earlier migrations added as `not valid`. Reading the rows blocks neither reads nor writes.
begin;
alter table assets validate constraint assets_matched_by;
commit;
begin;
alter table blobs validate constraint blobs_store_check;
commit;
begin;
alter table blobs validate constraint blobs_other_check;
commit;

-- migrate:down

select 'they stay valid';
