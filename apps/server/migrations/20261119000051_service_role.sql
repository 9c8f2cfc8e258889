-- migrate:up

-- What the service does to tables that its role does not own or must not change is done by functions with the rights of
-- their owner. Who may call them is granted by `migrate` (src/platform/postgres/service-role.ts).

-- Drops one table of the oldest month before this moment of which nothing is left in any table; returns whether there
-- was one. A table whose month is missing while another one still has it could not take a row that belongs to that month.
-- Decisions do not count: without submissions, those of an earlier version are left over. The lock is never waited for,
-- because every query of the table would wait behind.
create function drop_empty_month_table(before timestamptz) returns boolean language plpgsql as $$
declare
  month date;
  parent text;
  part text;
  is_empty boolean;
  is_locked boolean := false;
begin
  -- Another worker does it.
  if not pg_try_advisory_xact_lock(7118304) then return false; end if;
  for month in
    select distinct to_date(right(c.relname, 7), 'YYYY_MM')
    from unnest(monthly_tables()) as monthly
    join pg_class c on c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and c.relname ~ ('^' || monthly || '_\d{4}_\d{2}$')
    order by 1
  loop
    continue when month + interval '1 month' > before at time zone 'UTC';
    is_empty := true;
    foreach parent in array array_remove(monthly_tables(), 'issue_decisions') loop
      part := parent || to_char(month, '_YYYY_MM');
      continue when to_regclass(part) is null or not is_empty;
      execute format('select not exists (select from %I)', part) into is_empty;
    end loop;
    continue when not is_empty;
    foreach parent in array monthly_tables() loop
      part := parent || to_char(month, '_YYYY_MM');
      continue when to_regclass(part) is null;
      for tries in 1 .. 50 loop
        begin
          -- Not attached if an earlier version was interrupted.
          if exists (select from pg_inherits where inhrelid = part::regclass) then
            execute format('lock table only %I in access exclusive mode nowait', parent);
          end if;
          execute format('lock table only %I in access exclusive mode nowait', part);
          is_locked := true;
          exit;
        exception when lock_not_available then
          perform pg_sleep(0.02);
        end;
      end loop;
      if not is_locked then
        raise lock_not_available using message = format('%s is in use; its empty month is dropped later', parent);
      end if;
      if parent <> 'issue_decisions' then
        execute format('select not exists (select from %I)', part) into is_empty;
        if not is_empty then return false; end if;
      end if;
      execute format('drop table %I', part);
      return true;
    end loop;
  end loop;
  return false;
end $$;

-- Removes the decisions on a submission that is gone. The trigger of the table refuses the others.
create function remove_decisions(of_workspace uuid, of_submission uuid) returns void language sql as $$
  delete from issue_decisions where submission_id = of_submission and workspace_id = of_workspace
$$;

drop function drop_empty_months;

do $$
declare
  definer regprocedure;
begin
  foreach definer in array array[
    'make_months(timestamptz, int)', 'drop_empty_month_table(timestamptz)', 'remove_decisions(uuid, uuid)',
    'add_to_credit_totals()'
  ]::regprocedure[] loop
    -- A caller must not choose what the names in the function mean.
    execute format('alter function %s security definer set search_path = %I, pg_temp', definer, current_schema());
    execute format('revoke execute on function %s from public', definer);
  end loop;
end $$;

-- migrate:down

drop function remove_decisions;
drop function drop_empty_month_table;
alter function make_months(timestamptz, int) security invoker reset search_path;
grant execute on function make_months(timestamptz, int) to public;
alter function add_to_credit_totals() security invoker reset search_path;
grant execute on function add_to_credit_totals() to public;
