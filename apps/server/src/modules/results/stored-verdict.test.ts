import { randomUUID } from 'node:crypto';
import type { AssetVerdict } from '@assay/contract/schemas/verdict-members.ts';
import { sidekicks } from '@assay/sidekicks/sidekick/catalogue.ts';
import { liftedLimits, openTestApi, openTestWorker, openWorkspace } from '@assay/testing/service/api.ts';
import {
  assetPath,
  type SubmissionIds,
  submit,
  submitAndCancel,
  untilFinished,
  uploadPdf,
  uploadText,
} from '@assay/testing/service/submissions.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { correctVerdicts, storeMissingVerdicts } from './store-missing-verdicts.ts';

const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,sandbox,document' });
const { live, sandbox } = await openWorkspace(api);
await openTestWorker({ ...api.config, SWEEP_SECONDS: 3600 });
const { db } = api.handles;

const sidekickIds = sidekicks.filter(({ shortName }) => shortName === 'file-safety').map(({ id }) => id);

async function examine(...blobPaths: string[]): Promise<SubmissionIds> {
  const created = await submit(live, blobPaths, { sidekickIds });
  await untilFinished(live, created.submissionId);
  return created;
}
const pathOf = ({ submissionId }: SubmissionIds) => `/submissions/${submissionId}`;
const read = async (created: SubmissionIds) => (await live.get(pathOf(created))).body;
const readAsset = async (created: SubmissionIds, i = 0) => (await live.get(assetPath(created, i))).body;
const decide = async (created: SubmissionIds, issueId: string, status: string) => {
  const changed = await live.patch(`${assetPath(created)}/issues/${issueId}`, { status, note: 'Seen.' });
  expect(changed.status).toBe(200);
};

/** Events of one type about a submission, the oldest first. */
async function eventsOf({ submissionId }: SubmissionIds, type: string) {
  const rows = await db
    .selectFrom('events')
    .select(['body', 'asset_id'])
    .where('submission_id', '=', submissionId)
    .where('type', '=', type)
    .orderBy('event_id')
    .execute();
  return rows.map(({ body, asset_id }) => ({ ...JSON.parse(body), assetId: asset_id }));
}

const membersOf = ({
  verdict,
  severityCounts,
  statusCounts,
  blockingCount,
  reviewCount,
  waivedCount,
}: AssetVerdict) => ({
  verdict,
  severityCounts,
  statusCounts,
  blockingCount,
  reviewCount,
  waivedCount,
});

/** The members of the asset wherever they are shown. */
async function shownEverywhere(created: SubmissionIds) {
  const submission = await read(created);
  const list = (await live.get('/submissions?limit=100')).body.submissions;
  const { versions } = (await live.get(`${pathOf(created)}/versions`)).body;
  const listed = list.find((one: SubmissionIds) => one.submissionId === created.submissionId);
  return [submission, submission.assets[0], listed, listed.assets[0], versions[0]].map(membersOf);
}

describe('the stored verdict', () => {
  test('is the same on the asset, the submission, the list and the versions after every decision', async () => {
    const created = await examine(await uploadPdf(live));
    const { issues } = await readAsset(created);
    const seen = new Set<string | null>();
    for (const status of ['OPEN', 'ACKNOWLEDGED', 'AWAITING_HUMAN_INPUT', 'RESOLVED', 'DISMISSED']) {
      for (const { id } of issues) {
        await decide(created, id, status);
        const expected = membersOf(await readAsset(created));
        expect(await shownEverywhere(created)).toEqual([expected, expected, expected, expected, expected]);
        seen.add(expected.verdict);
      }
    }
    expect([...seen].sort()).toEqual(['failed', 'needs_review', 'passed_with_waivers']);
  });

  test('on a submission is the worst of its assets with the counts added up', async () => {
    const created = await examine(
      await uploadPdf(live),
      await uploadText(live),
      await uploadPdf(live, '/Encrypt 9 0 R'),
    );
    expect(await read(created)).toMatchObject({
      verdict: 'failed',
      severityCounts: { critical: 0, major: 3, minor: 0, info: 0 },
      statusCounts: { open: 2, acknowledged: 0, awaitingHumanInput: 1, resolved: 0, dismissed: 0 },
      blockingCount: 2,
      reviewCount: 1,
      waivedCount: 0,
      profile: { failOn: expect.any(String), allowIncomplete: expect.any(Array) },
      assets: [{ verdict: 'failed' }, { verdict: 'passed' }, { verdict: 'needs_review' }],
    });
  });

  test('is not_checked without counts if every asset failed, and null in the sandbox', async () => {
    const cancelled = await submitAndCancel(live);
    expect(await read(cancelled)).toMatchObject({ verdict: 'not_checked', severityCounts: null, blockingCount: null });
    const simulated = await submit(sandbox, [await uploadText(sandbox)]);
    await untilFinished(sandbox, simulated.submissionId);
    expect(await read(simulated)).toMatchObject({ status: 'complete', verdict: null, assets: [{ verdict: null }] });
  });

  test('changes the ETag of its submission', async () => {
    const created = await examine(await uploadPdf(live));
    const etag = (await live.get(pathOf(created))).headers.get('etag') ?? '';
    const poll = () => live.get(pathOf(created), { headers: { 'if-none-match': etag } });
    expect((await poll()).status).toBe(304);
    await decide(created, (await readAsset(created)).issues[0].id, 'DISMISSED');
    expect((await poll()).status).toBe(200);
  });

  test('follows from all of several decisions that are made at the same time', async () => {
    const created = await examine(await uploadPdf(live));
    const { issues } = await readAsset(created);
    await Promise.all(issues.map(({ id }: { id: string }) => decide(created, id, 'DISMISSED')));
    expect(await read(created)).toMatchObject({ verdict: 'passed_with_waivers', waivedCount: issues.length });
    expect(await eventsOf(created, 'asset.verdict.changed')).toHaveLength(1);
  });
});

describe('the event asset.verdict.changed', () => {
  test('is recorded for a decision that changes the verdict, with its actor and issue, and for no other', async () => {
    const created = await examine(await uploadPdf(live));
    const [first, second] = (await readAsset(created)).issues;
    await decide(created, first.id, 'DISMISSED');
    expect(await eventsOf(created, 'asset.verdict.changed')).toEqual([]);
    await decide(created, second.id, 'DISMISSED');
    const [event, ...others] = await eventsOf(created, 'asset.verdict.changed');
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      livemode: true,
      assetId: created.assets[0]?.assetId,
      data: {
        submission_id: created.submissionId,
        previous_verdict: 'failed',
        verdict: 'passed_with_waivers',
        waived_count: 2,
        cause: 'decision',
        issue_id: second.id,
        actor: { kind: 'api_key', id: expect.any(String) },
      },
    });
    expect(JSON.stringify(event)).not.toContain('Seen.');
  });
});

describe('the event submission.processing.finished', () => {
  test('is recorded once when the last asset is finished', async () => {
    const created = await examine(await uploadPdf(live), await uploadText(live));
    const { verdict, blockingCount, completedAt } = await read(created);
    expect(await eventsOf(created, 'submission.processing.finished')).toMatchObject([
      {
        livemode: true,
        assetId: null,
        data: {
          submission_id: created.submissionId,
          status: 'complete',
          verdict,
          blocking_count: blockingCount,
          finished_at: completedAt,
        },
      },
    ]);
  });

  test('is recorded for a cancelled submission, and again after a retry', async () => {
    const created = await submitAndCancel(live, 2);
    const statuses = async () =>
      (await eventsOf(created, 'submission.processing.finished')).map(({ data }) => [data.status, data.verdict]);
    expect(await statuses()).toEqual([['failed', 'not_checked']]);
    for (const [i, expected] of [
      [0, ['failed', 'not_checked']],
      [1, ['complete', 'passed']],
    ] as const) {
      expect((await live.post(`${assetPath(created, i)}/retry`)).status).toBe(202);
      expect(await read(created)).toMatchObject({ verdict: null, assets: expect.any(Array) });
      await untilFinished(live, created.submissionId);
      expect((await statuses()).at(-1)).toEqual(expected);
    }
    expect(await statuses()).toHaveLength(3);
  });

  test('is not recorded for a sandbox submission', async () => {
    const created = await submit(sandbox, [await uploadText(sandbox)]);
    await untilFinished(sandbox, created.submissionId);
    await submitAndCancel(sandbox, 1, '?simulationDelaySeconds=30');
    const { rows } = await sql<{ type: string }>`
      select type from events where submission_id = ${created.submissionId}`.execute(db);
    expect(rows).toEqual([]);
  });
});

describe('beside a version that does not store verdicts', () => {
  /** What the previous version writes for a decision. */
  async function decideWithoutVerdict({ submissionId, assets }: SubmissionIds, issueId: string): Promise<void> {
    await sql`
      with recorded as (
        insert into issue_decisions (submission_id, asset_id, issue_id, decision_number, workspace_id, actor_kind,
          actor_id, decided_at, from_status, to_status, carries_over)
        select submission_id, asset_id, issue_id, 1, workspace_id, 'api_key', ${randomUUID()}::uuid, now(), status,
          'DISMISSED', true
        from issues where submission_id = ${submissionId} and issue_id = ${issueId}
      )
      update issues set status = 'DISMISSED', status_changed_at = now()
      where submission_id = ${submissionId} and asset_id = ${assets[0]?.assetId} and issue_id = ${issueId}`.execute(db);
  }

  test('the verdict on what it finished is null until the job has stored it, and no event is sent', async () => {
    const created = await examine(await uploadPdf(live), await uploadText(live));
    const before = await read(created);
    await sql`update assets set judgement = null where submission_id = ${created.submissionId}`.execute(db);
    await sql`update submissions set verdict = null where submission_id = ${created.submissionId}`.execute(db);
    expect(await read(created)).toMatchObject({ verdict: null, blockingCount: null, assets: [{ verdict: null }, {}] });
    await storeMissingVerdicts(api.handles);
    expect(await read(created)).toEqual(before);
    expect((await live.get('/submissions?verdict=failed&limit=1')).body.submissions[0]).toEqual(before);
    expect(await eventsOf(created, 'submission.processing.finished')).toHaveLength(1);
    expect(await eventsOf(created, 'asset.verdict.changed')).toEqual([]);
  });

  test('the job corrects the verdict after its decisions, and sends the event that it did not send', async () => {
    const created = await examine(await uploadPdf(live));
    for (const { id } of (await readAsset(created)).issues) await decideWithoutVerdict(created, id);
    expect(await read(created)).toMatchObject({ verdict: 'failed' });
    await correctVerdicts(api.handles);
    expect(await read(created)).toMatchObject({ verdict: 'passed_with_waivers', waivedCount: 2 });
    expect(await eventsOf(created, 'asset.verdict.changed')).toMatchObject([
      { data: { previous_verdict: 'failed', verdict: 'passed_with_waivers', actor: { kind: 'api_key' } } },
    ]);
    await correctVerdicts(api.handles);
    expect(await eventsOf(created, 'asset.verdict.changed')).toHaveLength(1);
  });

  test('the verdict from before a retry that it accepts does not outlive the retry', async () => {
    const { submissionId } = await submitAndCancel(live);
    const verdictIn = async () =>
      (
        await db
          .selectFrom('submissions')
          .select('verdict')
          .where('submission_id', '=', submissionId)
          .executeTakeFirstOrThrow()
      ).verdict;
    expect(await verdictIn()).toBe('not_checked');
    await sql`update submissions set completed_at = null where submission_id = ${submissionId}`.execute(db);
    expect(await verdictIn()).toBeNull();
  });
});
