-- migrate:up

-- What a workspace has spent, so that nobody sums up its whole ledger to know it. In several rows, as charges of one
-- workspace that come at once would else wait for each other.
create table credit_totals (
  workspace_id uuid not null references workspaces,
  shard int not null check (shard between 0 and 15),
  credits bigint not null,
  primary key (workspace_id, shard)
);

create function add_to_credit_totals() returns trigger language plpgsql as $$
begin
  insert into credit_totals as t (workspace_id, shard, credits)
  values (new.workspace_id, get_byte(uuid_send(new.asset_id), 15) % 16, new.credits)
  on conflict (workspace_id, shard) do update set credits = t.credits + excluded.credits;
  return null;
end $$;

-- Until the trigger is there, nobody adds to the ledger.
lock table credit_entries in share row exclusive mode;
insert into credit_totals (workspace_id, shard, credits)
select workspace_id, 0, sum(credits) from credit_entries group by workspace_id;
create trigger add_to_credit_totals after insert on credit_entries
for each row execute function add_to_credit_totals();

-- migrate:down

drop trigger add_to_credit_totals on credit_entries;
drop function add_to_credit_totals;
drop table credit_totals;
