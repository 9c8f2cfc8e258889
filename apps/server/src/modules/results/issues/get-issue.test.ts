import { randomUUID } from 'node:crypto';
import type { Issue, IssueDetail } from '@assay/contract/schemas/issue.ts';
import { liftedLimits, openTestApi, openTestWorker, openWorkspace } from '@assay/testing/service/api.ts';
import { openOwnerDb } from '@assay/testing/service/owner-db.ts';
import { refused } from '@assay/testing/service/refused.ts';
import {
  assetPath,
  type SubmissionIds,
  submit,
  submitAndCancel,
  untilFinished,
  uploadPdf,
} from '@assay/testing/service/submissions.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { WorkspaceId } from '#call/caller.ts';
import { removeSubmission } from '#modules/submissions/delete/delete-submission.ts';
import { rowRemovers } from '#start/row-removers.ts';
import { decideIssue } from '../decisions/decision-store.ts';

const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,sandbox,document' });
const ownerDb = openOwnerDb();
const apiWithoutWorker = await openTestApi(liftedLimits); // submissions stay queued
const { live, sandbox, ...workspace } = await openWorkspace(api);
await openTestWorker(api.config);

const { db } = api.handles;

/** Submits a new version and returns one of its issues. */
async function openIssue(previousSubmissionId?: string) {
  const blobPath = await uploadPdf(live);
  const created = await submit(live, [{ blobPath, ...(previousSubmissionId && { previousSubmissionId }) }]);
  const { submissionId } = created;
  await untilFinished(live, submissionId);
  const asset = assetPath(created);
  const { body } = await live.get(`${asset}/issues`);
  const issue = body.issues.find(({ ruleCode }: Issue) => ruleCode === 'SAFE-PDF-JAVASCRIPT') as Issue;
  const path = `${asset}/issues/${issue.id}`;
  return { submissionId, assetId: created.assets[0]?.assetId as string, asset, issue, path };
}
const read = async (path: string): Promise<IssueDetail> => (await live.get(path)).body;

async function keyIdOf(mode: 'live' | 'sandbox'): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select key_id as id from api_keys where workspace_id = ${workspace.workspaceId} and mode = ${mode}`.execute(db);
  return rows[0]?.id as string;
}

describe('GET /submissions/{submission_id}/assets/{asset_id}/issues/{issue_id}', () => {
  describe('200: the response contains the issue and its decisions', () => {
    test('the issue has the same fields as in the list, and no decisions at first', async () => {
      const { issue, path } = await openIssue();
      expect(await live.get(path)).toMatchObject({ status: 200, body: { ...issue, decisions: [] } });
      expect((await sandbox.get(path)).body, 'with a sandbox key too').toEqual({ ...issue, decisions: [] });
    });

    test('decisions are listed newest first, each with its actor, time, statuses and reason', async () => {
      const { path } = await openIssue();
      const first = await live.patch(path, { status: 'ACKNOWLEDGED', reason: 'fix_required', note: 'to be cut' });
      const second = await live.patch(path, { status: 'RESOLVED' });
      const { decisions, ...issue } = await read(path);
      expect(issue).toEqual(second.body);
      const actor = { kind: 'api_key', id: await keyIdOf('live') };
      expect(decisions).toEqual([
        {
          decidedAt: second.body.statusChangedAt,
          actor,
          from: 'ACKNOWLEDGED',
          to: 'RESOLVED',
          reason: null,
          note: null,
          carriesOver: false,
          carriedFrom: null,
        },
        {
          decidedAt: first.body.statusChangedAt,
          actor,
          from: 'OPEN',
          to: 'ACKNOWLEDGED',
          reason: 'fix_required',
          note: 'to be cut',
          carriesOver: true,
          carriedFrom: null,
        },
      ]);
    });

    test.each([
      { kind: 'person', id: randomUUID() },
      { kind: 'operator', id: null },
      { kind: 'service', id: null },
    ] as const)('a decision by $kind is recorded with its actor', async (actor) => {
      const { path, issue, ...asset } = await openIssue();
      await decideIssue(
        db,
        workspace.workspaceId as WorkspaceId,
        { ...asset, issueId: issue.id },
        {
          actor,
          decidedAt: new Date(),
          toStatus: 'RESOLVED',
          reason: 'fixed',
          note: null,
          carriesOver: false,
        },
      );
      expect((await read(path)).decisions).toMatchObject([{ actor, from: 'OPEN', to: 'RESOLVED' }]);
    });

    test('a carried-over decision names the version on which it was made', async () => {
      const first = await openIssue();
      await live.patch(first.path, { status: 'DISMISSED', reason: 'false_alarm' });
      const [made] = (await read(first.path)).decisions;
      const second = await openIssue(first.submissionId);
      const third = await openIssue(second.submissionId);
      for (const { path } of [second, third]) {
        const { submissionId, assetId, issue } = first;
        const carriedFrom = { submissionId, assetId, issueId: issue.id, versionNumber: 1 };
        expect((await read(path)).decisions).toEqual([{ ...made, carriedFrom }]);
      }
      await live.patch(third.path, { status: 'OPEN', reason: 'reopened' });
      expect((await read(third.path)).decisions).toMatchObject([
        { from: 'DISMISSED', to: 'OPEN' },
        { to: 'DISMISSED' },
      ]);
    });

    test('64 concurrent decisions are recorded in a consistent order, and the last one sets the status', async () => {
      const { path } = await openIssue();
      const notes = Array.from({ length: 64 }, (_, i) => `note ${i}`);
      const responses = await Promise.all(
        notes.map((note, i) => live.patch(path, { status: i % 2 ? 'DISMISSED' : 'ACKNOWLEDGED', note })),
      );
      expect(responses.map(({ status }) => status)).toEqual(notes.map(() => 200));
      const { decisions, status, statusNote } = await read(path);
      expect(decisions.map(({ note }) => note).sort()).toEqual(notes.sort());
      expect(decisions[0]).toMatchObject({ to: status, note: statusNote });
      for (const [i, decision] of decisions.entries()) expect(decision.from).toBe(decisions[i + 1]?.to ?? 'OPEN');
    });
  });

  describe('append-only decisions', () => {
    test.each([
      ['update', sql`update issue_decisions set note = 'another'`],
      ['delete', sql`delete from issue_decisions`],
    ])('the database rejects an %s of a decision, even from the service itself', async (_, statement) => {
      const { path, submissionId } = await openIssue();
      await live.patch(path, { status: 'DISMISSED', note: 'as it was' });
      const change = sql`${statement} where submission_id = ${submissionId}`;
      await expect(change.execute(db)).rejects.toThrow('permission denied');
      await expect(change.execute(ownerDb)).rejects.toThrow('append-only');
      const removal = sql`select remove_decisions(${workspace.workspaceId}, ${submissionId})`;
      await expect(removal.execute(db)).rejects.toThrow('append-only');
      expect((await read(path)).decisions).toMatchObject([{ note: 'as it was' }]);
    });

    test('decisions are deleted together with their submission', async () => {
      const { path, submissionId } = await openIssue();
      await live.patch(path, { status: 'DISMISSED' });
      await db
        .transaction()
        .execute((transaction) =>
          removeSubmission(transaction, workspace.workspaceId as never, submissionId, new Date(), rowRemovers),
        );
      const { rows } = await sql`select from issue_decisions where submission_id = ${submissionId}`.execute(db);
      expect(rows).toEqual([]);
    });
  });

  describe('404: the asset is not complete', () => {
    test('asset_not_ready is returned for a waiting asset, and asset_failed for a failed one', async () => {
      const waiting = await submit(apiWithoutWorker.client(workspace.liveKey), [await uploadPdf(live)]);
      const failed = await submitAndCancel(apiWithoutWorker.client(workspace.liveKey));
      const pathIn = (created: SubmissionIds) => `${assetPath(created)}/issues/${randomUUID()}`;
      expect(await live.get(pathIn(waiting))).toMatchObject(refused(404, 'asset_not_ready'));
      expect(await live.get(pathIn(failed))).toMatchObject(refused(404, 'asset_failed'));
    });
  });
});
