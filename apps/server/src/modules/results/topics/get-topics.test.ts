import { randomUUID } from 'node:crypto';
import type { CompactIssue } from '@assay/contract/schemas/issue.ts';
import { severities } from '@assay/contract/schemas/severity.ts';
import { sidekicks } from '@assay/sidekicks/sidekick/catalogue.ts';
import { makePdf } from '@assay/testing/media/samples.ts';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import { type SubmissionIds, submit, untilFinished } from '@assay/testing/service/submissions.ts';
import { openContainer } from '@assay/testing/storage/blobs.ts';
import { describe, expect, test } from 'vitest';

const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,sandbox,document' });
const apiWithoutWorker = await openTestApi(liftedLimits); // submissions stay queued
const workspace = await api.makeWorkspace();
const live = api.client(workspace.liveKey);
const sandbox = api.client(workspace.sandboxKey);

const sidekickIds = sidekicks.filter(({ name }) => name === 'File safety').map(({ id }) => id);
/** An action that starts a script and a program. Its issues form one topic. */
const relatedIssuesPdf = makePdf('/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> /A << /S /Launch /F (x) >>');
const singleIssuePdf = makePdf('/AcroForm << /XFA 9 0 R >>');
/** Format errors get lower reference numbers than captions that end before they start, but are less severe. */
const captionBlocks: Record<number, string> = {
  1: '1\n00:00:01,000 --> 00:00:00,500\nNever\n',
  2: '2\n00:00:01,000 --> 00:00:02,500\nHello there\n',
  3: '9\n00:00:02,800 --> 00:00:02,600\nNever, and with a wrong number\n',
  4: '00:00:05,000 --> 00:00:06,500\nWithout a number\n',
};
const upload = async (bytes: Uint8Array) => (await live.uploadFile('leaflet.pdf', bytes)).body.blobPath as string;
const assetPathOf = ({ submissionId, assets }: SubmissionIds) =>
  `/submissions/${submissionId}/assets/${assets[0]?.assetId}`;

const deletedBlobPath = await upload(relatedIssuesPdf);
const failedSubmission = await submit(live, [deletedBlobPath]);
await openContainer(api.config).getBlobClient(deletedBlobPath).delete();
const waitingSubmission = await submit(apiWithoutWorker.client(workspace.liveKey), [await upload(relatedIssuesPdf)]);
await openTestWorker(api.config);

async function examine(bytes: Uint8Array, client = live): Promise<SubmissionIds> {
  const created = await submit(client, [await upload(bytes)], { sidekickIds });
  await untilFinished(client, created.submissionId);
  return created;
}

async function examineCaptions(numbers: number[]): Promise<SubmissionIds> {
  const text = numbers.map((number) => captionBlocks[number]).join('\n');
  const { body } = await live.uploadFile('a.srt', Buffer.from(text));
  const created = await submit(live, [body.blobPath]);
  await untilFinished(live, created.submissionId);
  return created;
}

type Topic = { id: string; severity: string; issueCount: number; issueIds: string[]; issues: CompactIssue[] };
type TopicsReply = { topics: Topic[]; orphanIssues: CompactIssue[]; metadata: Record<string, number | string> };

const topicsOf = async (created: SubmissionIds): Promise<TopicsReply> =>
  (await live.get(`${assetPathOf(created)}/topics`)).body;
const issuesOf = async (created: SubmissionIds): Promise<CompactIssue[]> =>
  (await live.get(assetPathOf(created))).body.issues;
const byNumber = (a: CompactIssue, b: CompactIssue) => a.referenceNumber - b.referenceNumber;

describe('GET /submissions/{submission_id}/assets/{asset_id}/topics', () => {
  describe('200: the issues are grouped into topics', () => {
    test.each([
      ['related issues', relatedIssuesPdf],
      ['a single issue', singleIssuePdf],
      ['no issue', makePdf()],
    ])('every issue is in the response exactly once, and the counts add up, for %s', async (_, bytes) => {
      const created = await examine(bytes);
      const { topics, orphanIssues, metadata } = await topicsOf(created);
      const clustered = topics.flatMap(({ issues }) => issues);
      expect([...clustered, ...orphanIssues].sort(byNumber)).toEqual(await issuesOf(created));
      expect(metadata).toEqual({
        generatedAt: expect.any(String),
        algorithm: expect.stringMatching(/./),
        algorithmVersion: expect.stringMatching(/./),
        totalIssueCount: clustered.length + orphanIssues.length,
        topicCount: topics.length,
        clusteredIssueCount: clustered.length,
        orphanIssueCount: orphanIssues.length,
      });
    });

    test('related issues form one topic with their number, rules and highest severity (§2.5d, §4.7a)', async () => {
      const created = await examine(relatedIssuesPdf);
      const issues = await issuesOf(created);
      const { topics, orphanIssues } = await topicsOf(created);
      expect(orphanIssues).toEqual([]);
      expect(topics).toEqual([
        {
          id: expect.any(String),
          title: expect.stringContaining(String(issues.length)),
          summary: expect.stringMatching(/./),
          severity: severities.find((severity) => issues.some((issue) => issue.severity === severity)),
          issueCount: issues.length,
          issueIds: issues.map(({ id }) => id),
          issues,
          ruleCodes: [...new Set(issues.map(({ ruleCode }) => ruleCode))].sort(),
          sidekickIds,
        },
      ]);
      expect(topics[0]?.severity).toBe('CRITICAL');
    });

    test('a single issue is an orphan, not a topic (§2.5d)', async () => {
      const created = await examine(singleIssuePdf);
      expect(await topicsOf(created)).toMatchObject({ topics: [], orphanIssues: await issuesOf(created) });
      expect(await issuesOf(created)).toHaveLength(1);
    });

    test('the most severe topics and orphans come first, whatever their reference numbers', async () => {
      const inTopics = await topicsOf(await examineCaptions([1, 2, 3, 4]));
      expect(
        inTopics.topics.map(({ severity, issues }) => [severity, issues.map((one) => one.referenceNumber)]),
      ).toEqual([
        ['MAJOR', [3, 4]],
        ['MINOR', [1, 2]],
      ]);
      const { topics, orphanIssues } = await topicsOf(await examineCaptions([2, 3]));
      expect(topics).toEqual([]);
      expect(orphanIssues.map(({ severity, referenceNumber }) => [severity, referenceNumber])).toEqual([
        ['MAJOR', 2],
        ['MINOR', 1],
      ]);
    });

    test('a decision on an issue is visible at once, in topics and orphans, and does not regroup the issues', async () => {
      for (const bytes of [relatedIssuesPdf, singleIssuePdf]) {
        const created = await examine(bytes);
        const before = await topicsOf(created);
        const [issue] = await issuesOf(created);
        await live.patch(`${assetPathOf(created)}/issues/${issue?.id}`, { status: 'DISMISSED', note: 'fine' });
        const after = await topicsOf(created);
        const decide = (one: CompactIssue) => (one.id === issue?.id ? { ...one, status: 'DISMISSED' } : one);
        expect(after).toEqual({
          ...before,
          topics: before.topics.map((topic) => ({ ...topic, issues: topic.issues.map(decide) })),
          orphanIssues: before.orphanIssues.map(decide),
        });
        expect(after).not.toEqual(before);
      }
    });

    test('a repeated request returns the same topics with the same ids', async () => {
      const created = await examine(relatedIssuesPdf);
      expect(await topicsOf(created)).toEqual(await topicsOf(created));
    });

    test('a simulated run has no topics (§8.3b)', async () => {
      expect(await topicsOf(await examine(relatedIssuesPdf, sandbox))).toMatchObject({
        topics: [],
        orphanIssues: [],
        metadata: { totalIssueCount: 0, topicCount: 0, clusteredIssueCount: 0, orphanIssueCount: 0 },
      });
    });
  });

  describe('404: the asset does not exist or has not finished (§4.7b, §7d)', () => {
    test.each([
      ['submission_not_found', `/submissions/${randomUUID()}/assets/${waitingSubmission.assets[0]?.assetId}/topics`],
      ['asset_not_found', `/submissions/${waitingSubmission.submissionId}/assets/${randomUUID()}/topics`],
      [
        'asset_not_found',
        `/submissions/${waitingSubmission.submissionId}/assets/${failedSubmission.assets[0]?.assetId}/topics`,
      ],
      ['asset_not_ready', `${assetPathOf(waitingSubmission)}/topics`],
    ])('the request is refused with %s', async (code, path) => {
      expect(await live.get(path)).toMatchObject({ status: 404, body: { code } });
    });

    test('asset_failed is returned for an asset whose analysis failed', async () => {
      await untilFinished(live, failedSubmission.submissionId);
      expect(await live.get(`${assetPathOf(failedSubmission)}/topics`)).toMatchObject({
        status: 404,
        body: { code: 'asset_failed' },
      });
    });
  });

  describe('422: an id is not a UUID', () => {
    test.each([
      ['/submission_id', `/submissions/1/assets/${randomUUID()}/topics`],
      ['/asset_id', `/submissions/${randomUUID()}/assets/1/topics`],
    ])('the error points to %s for GET %s', async (pointer, path) => {
      expect(await live.get(path)).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', errors: [{ pointer }] },
      });
    });
  });
});
