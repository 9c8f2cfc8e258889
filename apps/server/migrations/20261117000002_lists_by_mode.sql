-- migrate:up

select 'the index is in indexes.sql, which builds it concurrently';

-- migrate:down

drop index if exists submissions_by_mode_and_status;
