import { randomUUIDv7 } from 'node:crypto';
import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import { countStatements } from '@assay/testing/service/count-statements.ts';
import { openOwnerDb } from '@assay/testing/service/owner-db.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { dueAfterMillisOf, sweepRuns } from './sweep-runs.ts';

const api = await openTestApi(liftedLimits);
const ownerDb = openOwnerDb();
const { db } = api.handles;
const workspace = await api.makeWorkspace();
const live = api.client(workspace.liveKey);

const { RUNS } = process.env;
/** More than a batch for each of two workers. */
const runCount = Number(RUNS ?? 450);

/** The engine refuses a list of this many assets. No request can create one, so it is inserted directly. */
const refusedAssetCount = 30_000;

async function insertUnstartableSubmission(like: string): Promise<string> {
  const submissionId = randomUUIDv7();
  await sql`
    insert into submissions (submission_id, workspace_id, mode, status, profile, created_at)
    select ${submissionId}, workspace_id, mode, status, profile, created_at from submissions
    where submission_id = ${like}`.execute(db);
  await sql`
    insert into assets (submission_id, asset_id, workspace_id, position, blob_id, filename, content_type, category, etag,
      size_bytes, version_group_id, version_number, created_at, run)
    select ${submissionId}, gen_random_uuid(), a.workspace_id, n, blob_id, filename, content_type, category, etag,
      size_bytes, version_group_id, version_number, created_at, 1
    from assets a, generate_series(1, ${refusedAssetCount}) as n where a.submission_id = ${like}`.execute(db);
  await sql`
    insert into runs_to_start (submission_id, run, workspace_id, created_at)
    values (${submissionId}, 1, ${workspace.workspaceId}, now() - interval '2 hours')`.execute(db);
  return submissionId;
}

async function insertRuns(submissionId: string, first: number, count = 1): Promise<void> {
  await sql`
    insert into runs_to_start (submission_id, run, workspace_id, created_at)
    select ${submissionId}, run, ${workspace.workspaceId}, now() - interval '1 hour'
    from generate_series(${first}::int, ${first + count - 1}::int) as run
    on conflict (submission_id, run) do update set created_at = excluded.created_at`.execute(db);
}

/** A submission whose own run has been started, so that the API no longer touches the rows of the test. */
async function submitStarted(): Promise<string> {
  const { submissionId } = await submit(live, [await uploadText(live)]);
  await expect.poll(() => sweepPostponed(0)).toBe(0); // a busy engine may not have answered its request in time
  return submissionId;
}

const waiting = () => db.selectFrom('runs_to_start').select(['submission_id', 'try_after']).execute();

/** A busy engine may not answer in time, which postpones a run for a minute. Returns how many still wait. */
async function sweepPostponed(afterMillis?: number): Promise<number> {
  await db.updateTable('runs_to_start').set({ try_after: null }).execute();
  await sweepRuns(api.handles, afterMillis);
  return (await waiting()).length;
}

/** Every claim changes the row; so does postponing it, which is left out. */
async function recordClaims(): Promise<void> {
  await sql`create table claims (submission_id uuid, run int)`.execute(ownerDb);
  await sql`
    create function record_claim() returns trigger language plpgsql security definer as $$
    begin
      if current_query() like '%skip locked%' then insert into claims values (new.submission_id, new.run); end if;
      return new;
    end $$`.execute(ownerDb);
  await sql`
    create trigger record_claim after update of try_after on runs_to_start
    for each row execute function record_claim()`.execute(ownerDb);
}

async function countClaims() {
  const { rows } = await sql`
    select count(*)::int as claims, count(distinct (submission_id, run))::int as runs from claims`.execute(ownerDb);
  return rows[0];
}

test('a run is due for the sweep after twice the sweep interval, but at least 2 s and at most 10 s', () => {
  expect([0.2, 1, 3, 5, 60].map(dueAfterMillisOf)).toEqual([2000, 2000, 6000, 10_000, 10_000]);
});

describe('runs that wait to be started', () => {
  test('do not wait for runs that cannot be started', async () => {
    const { submissionId } = await submit(live, [await uploadText(live)]);
    const stuck = [];
    for (let i = 0; i < 3; i++) stuck.push(await insertUnstartableSubmission(submissionId));
    await insertRuns(submissionId, 1);
    await sweepRuns(api.handles);
    await expect.poll(async () => (await waiting()).map((row) => row.submission_id).sort()).toEqual(stuck.sort());
    const dueAt = (await waiting()).map((row) => row.try_after?.getTime());
    expect(Math.min(...dueAt.map(Number)), 'postponed for a minute').toBeGreaterThan(Date.now() + 30_000);
    await db.deleteFrom('runs_to_start').execute();
    // Statements that were planned before would read all of these assets for each run of the next tests.
    await db.deleteFrom('assets').where('submission_id', 'in', stuck).execute();
    await sql`vacuum analyze assets`.execute(db);
  });

  test('are each started by one of the workers that sweep at the same time, with as many statements', async () => {
    const submissionId = await submitStarted();
    await recordClaims();
    const sweepBy = async (workers: number, firstRun: number) => {
      await insertRuns(submissionId, firstRun, runCount);
      const beganAt = performance.now();
      const claims = countStatements(/update "?runs_to_start[\s\S]*skip locked/);
      await Promise.all(Array.from({ length: workers }, () => sweepRuns(api.handles)));
      const statements = claims.stop();
      const seconds = (performance.now() - beganAt) / 1000;
      expect(await countClaims()).toEqual({ claims: runCount, runs: runCount });
      await expect.poll(() => sweepPostponed()).toBe(0);
      await sql`truncate claims`.execute(ownerDb);
      return { workers, statements, seconds };
    };
    const [one, two] = [await sweepBy(1, 2), await sweepBy(2, 2 + runCount)];
    if (RUNS) console.log(`${runCount} runs`, one, two);
    expect(two.statements).toBeLessThanOrEqual(one.statements + 2); // each worker sees the end for itself
  });

  test('are left to the next sweep once a sweep is stopped', async () => {
    const submissionId = await submitStarted();
    await insertRuns(submissionId, 2);
    await sweepRuns(api.handles, undefined, AbortSignal.abort());
    expect(await waiting()).toHaveLength(1);
  });
});
