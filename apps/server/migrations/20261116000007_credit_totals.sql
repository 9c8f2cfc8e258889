-- migrate:up transaction:false

-- Each statement can be repeated: after an interruption, the file begins again.

-- What a workspace has spent, so that nobody sums up its whole ledger to know it. In several rows, as charges of one
-- workspace that come at once would else wait for each other.
begin;
create table if not exists credit_totals (
  workspace_id uuid not null references workspaces,
  shard int not null check (shard between 0 and 15),
  credits bigint not null,
  primary key (workspace_id, shard)
);

create or replace function add_to_credit_totals() returns trigger language plpgsql as $$
begin
  insert into credit_totals as t (workspace_id, shard, credits)
  values (new.workspace_id, get_byte(uuid_send(new.asset_id), 15) % 16, new.credits)
  on conflict (workspace_id, shard) do update set credits = t.credits + excluded.credits;
  return null;
end $$;

create or replace trigger add_to_credit_totals after insert on credit_entries
for each row execute function add_to_credit_totals();
commit;

-- What was spent before the trigger. It counts what is spent meanwhile; both sums are of the same snapshot, so their
-- difference is exactly the rest, and zero if this is repeated.
begin;
insert into credit_totals as t (workspace_id, shard, credits)
select workspace_id, 0, spent - coalesce(counted, 0)
from (select workspace_id, sum(credits) as spent from credit_entries group by workspace_id) as entries
left join (select workspace_id, sum(credits) as counted from credit_totals group by workspace_id) as totals
  using (workspace_id)
where spent > coalesce(counted, 0)
on conflict (workspace_id, shard) do update set credits = t.credits + excluded.credits;
commit;

-- migrate:down

drop trigger add_to_credit_totals on credit_entries;
drop function add_to_credit_totals;
drop table credit_totals;
