-- migrate:up transaction:false

-- One decision by nobody known for each status that somebody has set. In batches, each committed on its own, so that
-- the issues stay free for those who decide meanwhile; begun again after a break, it skips what is there.
do $$
declare
  batch_size constant int := 5000;
  done record;
begin
  select null::uuid as submission_id, null::uuid as asset_id, 0 as reference_number into done;
  loop
    with batch as (
      select * from issues
      where status_changed_at is not null
        and (done.submission_id is null
          or (submission_id, asset_id, reference_number) > (done.submission_id, done.asset_id, done.reference_number))
      order by submission_id, asset_id, reference_number limit batch_size
    ), recorded as (
      insert into issue_decisions (
        submission_id, asset_id, issue_id, decision_number, workspace_id, actor_kind, decided_at, to_status, note,
        carries_over
      )
      select submission_id, asset_id, issue_id, 1, workspace_id, 'unknown', status_changed_at, status, status_note,
        status in ('ACKNOWLEDGED', 'DISMISSED')
      from batch
      on conflict do nothing
    )
    select submission_id, asset_id, reference_number into done from batch
    order by submission_id desc, asset_id desc, reference_number desc limit 1;
    exit when not found;
    commit;
  end loop;
end $$;

-- migrate:down

select 'what was decided stays on the issues';
