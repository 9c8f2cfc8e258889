import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { decisionReasons, type Issue, issueStatuses } from '@assay/contract/schemas/issue.ts';
import { liftedLimits, openTestApi, openTestWorker, openWorkspace } from '@assay/testing/service/api.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { assetPath, type SubmissionIds, submit, untilFinished, uploadPdf } from '@assay/testing/service/submissions.ts';
import { openContainer } from '@assay/testing/storage/blobs.ts';
import { beforeEach, describe, expect, test } from 'vitest';

const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,sandbox,document' });
const apiWithoutWorker = await openTestApi(liftedLimits); // submissions stay queued
const { live, sandbox, ...workspace } = await openWorkspace(api);

const upload = () => uploadPdf(live);
const issuesPathOf = (created: SubmissionIds, i = 0) => `${assetPath(created, i)}/issues`;

const deletedBlobPath = await upload();
const failedSubmission = await submit(live, [deletedBlobPath]);
await openContainer(api.config).getBlobClient(deletedBlobPath).delete();
const waitingSubmission = await submit(apiWithoutWorker.client(workspace.liveKey), [await upload()]);
await openTestWorker(api.config);

const created = await submit(live, [await upload(), await upload()]);
await untilFinished(live, created.submissionId);
const listIssues = async (i = 0): Promise<Issue[]> => (await live.get(issuesPathOf(created, i))).body.issues;
const [issue, otherIssue] = (await listIssues()) as [Issue, Issue];
const issuePath = `${issuesPathOf(created)}/${issue.id}`;

/** Waits until the clock is at least one millisecond past this time, so that the next change gets a later one. */
async function waitPast(time: string | null): Promise<void> {
  while (Date.now() <= Date.parse(time ?? '')) await sleep(1);
}

describe('PATCH /submissions/{submission_id}/assets/{asset_id}/issues/{issue_id}', () => {
  describe('200: the issue is changed', () => {
    test.each(issueStatuses)('the status %s is stored with its note (§2.4c)', async (status) => {
      const response = await live.patch(issuePath, { status, note: `because of ${status}` });
      expect(response).toMatchObject({ status: 200, body: { status, statusNote: `because of ${status}` } });
      expect((await listIssues())[0]).toEqual(response.body);
    });

    test('other fields and other issues remain unchanged', async () => {
      const { body } = await live.patch(issuePath, { status: 'ACKNOWLEDGED', note: 'known' });
      const { status, statusNote, statusReason, statusChangedAt, updatedAt, ...rest } = body;
      expect(issue).toMatchObject(rest);
      expect((await listIssues())[1]).toEqual(otherIssue);
      expect(status).toBe('ACKNOWLEDGED');
    });

    test('updatedAt and statusChangedAt change with every decision, and createdAt never changes', async () => {
      expect(otherIssue).toMatchObject({ statusChangedAt: null, updatedAt: otherIssue.createdAt });
      let before: Issue = (await live.patch(issuePath, { status: 'OPEN' })).body;
      for (const status of ['DISMISSED', 'DISMISSED', 'OPEN'] as const) {
        await waitPast(before.updatedAt);
        const { body: after } = await live.patch(issuePath, { status });
        expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
        expect(after).toMatchObject({ statusChangedAt: after.updatedAt, createdAt: issue.createdAt });
        before = after;
      }
    });

    test.each([
      ['left out', {}],
      ['null', { note: null }],
    ])('a note that is %s clears the previous one', async (_, rest) => {
      await live.patch(issuePath, { status: 'ACKNOWLEDGED', note: 'known' });
      expect((await live.patch(issuePath, { status: 'ACKNOWLEDGED', ...rest })).body.statusNote).toBeNull();
      expect((await listIssues())[0]?.statusNote).toBeNull();
    });

    test.each([
      ['every kind of character', 'Zeile 1\nline 2\t„§ 5“ \u{1f600} <b>&amp;</b> \\u0000 %00'],
      ['no characters', ''],
      ['2000 characters', 'ä'.repeat(2000)],
    ])('a note with %s is stored unchanged', async (_, note) => {
      expect((await live.patch(issuePath, { status: 'DISMISSED', note })).body.statusNote).toBe(note);
    });

    test.each(Object.entries(decisionReasons))(
      'the reason %s is stored with the status %s, and a decision without a reason clears it',
      async (reason, status) => {
        expect((await live.patch(issuePath, { status, reason })).body).toMatchObject({ status, statusReason: reason });
        expect((await live.patch(issuePath, { status })).body.statusReason, 'an omitted reason is cleared').toBeNull();
      },
    );

    test('the new status is visible in every response that contains the issue', async () => {
      await live.patch(issuePath, { status: 'DISMISSED', note: 'prints only' });
      const asset = issuePath.replace(/\/issues.*/, '');
      const [result, topics, changes] = await Promise.all([
        live.get(asset),
        live.get(`${asset}/topics`),
        live.get(`${asset}/changes`),
      ]);
      const seen = [
        ...result.body.issues,
        ...topics.body.topics.flatMap((topic: { issues: Issue[] }) => topic.issues),
        ...topics.body.orphanIssues,
        ...changes.body.newIssues,
      ].filter(({ id }: Issue) => id === issue.id);
      expect(seen.map(({ status }) => status)).toEqual(['DISMISSED', 'DISMISSED', 'DISMISSED']);
    });
  });

  describe('403: the key is a sandbox key and the submission is live', () => {
    test('live_submission is returned, and the issue does not change', async () => {
      const [before] = await listIssues();
      const response = await sandbox.patch(issuePath, { status: 'RESOLVED', note: 'by the sandbox' });
      expect(response).toMatchObject(refused(403, 'live_submission'));
      expect((await listIssues())[0]).toEqual(before);
    });
  });

  describe('404: the asset has no such issue', () => {
    test('issue_not_found is returned for a waiting or failed asset and a simulated run', async () => {
      await untilFinished(live, failedSubmission.submissionId);
      const simulated = await submit(sandbox, [await upload()]);
      await untilFinished(sandbox, simulated.submissionId);
      for (const [client, one] of [
        [live, waitingSubmission] as const,
        [live, failedSubmission] as const,
        [sandbox, simulated] as const,
      ]) {
        const response = await client.patch(`${issuesPathOf(one)}/${issue.id}`, { status: 'OPEN' });
        expect(response).toMatchObject(refused(404, 'issue_not_found'));
      }
    });
  });

  describe('422: the request is invalid', () => {
    let before: Issue | undefined;
    beforeEach(async () => {
      [before] = await listIssues();
    });

    test.each([
      ['/status', 'no status', { note: 'x' }],
      ['/status', 'an unknown status', { status: 'CLOSED' }],
      ['/status', 'a status in lower case', { status: 'open' }],
      ['/status', 'a status that is null', { status: null }],
      ['/severity', 'an unknown member', { status: 'OPEN', severity: 'INFO' }],
      ['/note', 'a NUL in the note', { status: 'OPEN', note: 'a\0b' }],
      ['/note', 'a lone surrogate in the note', { status: 'OPEN', note: 'a\ud800b' }],
      ['/note', 'a note of 2001 characters', { status: 'OPEN', note: 'x'.repeat(2001) }],
      ['/note', 'a note that is not a string', { status: 'OPEN', note: 1 }],
      ['/reason', 'an unknown reason', { status: 'DISMISSED', reason: 'because' }],
      ['/reason', 'a reason of another status', { status: 'RESOLVED', reason: 'creative_intent' }],
      ['/reason', 'a reason for a status that has none', { status: 'AWAITING_HUMAN_INPUT', reason: 'reopened' }],
      ['/carriesOver', 'a carriesOver that is not a boolean', { status: 'DISMISSED', carriesOver: 'yes' }],
      ['/carriesOver', 'carriesOver with a status that never carries over', { status: 'RESOLVED', carriesOver: true }],
      ['', 'a body that is an array', [{ status: 'OPEN' }]],
    ])('the error has the pointer "%s" for %s', async (pointer, _, json) => {
      expect(await live.patch(issuePath, json)).toMatchObject(refused(422, 'validation_failed', pointer));
      expect((await listIssues())[0]).toEqual(before);
    });

    test('note_required is returned for a dismissal without a note if the profile requires one', async () => {
      const { body: profile } = await live.post('/profiles', { name: 'strict', requireDismissalNote: true });
      const strict = await submit(live, [await upload()], { metadata: { assay: { profile: 'strict' } } });
      await untilFinished(live, strict.submissionId);
      const { issues } = (await live.get(issuesPathOf(strict))).body;
      const strictPath = `${issuesPathOf(strict)}/${issues[0].id}`;
      // The submission stays pinned to the revision that requires a note.
      await live.patch(`/profiles/${profile.profileId}`, { requireDismissalNote: false });
      for (const note of [undefined, null, '', '  ']) {
        expect(await live.patch(strictPath, { status: 'DISMISSED', note })).toMatchObject(
          refused(422, 'note_required', '/note'),
        );
      }
      expect((await live.get(issuesPathOf(strict))).body.issues).toEqual(issues);
      expect((await live.patch(strictPath, { status: 'ACKNOWLEDGED' })).status).toBe(200);
      expect((await live.patch(strictPath, { status: 'DISMISSED', note: 'seen' })).status).toBe(200);
      const unknown = await live.patch(`${issuesPathOf(strict)}/${randomUUID()}`, { status: 'DISMISSED' });
      expect(unknown).toMatchObject(refused(404, 'issue_not_found'));
    });
  });
});
